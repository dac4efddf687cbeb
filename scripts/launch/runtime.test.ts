import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeFailedStart } from './runtime.mjs'

test('a missing system library is one line that names it', () => {
  const stderr =
    'node: error while loading shared libraries: libstdc++.so.6: cannot open shared object file: No such file\n'
  const line = describeFailedStart({ stderr })
  assert.match(line, /the system library libstdc\+\+\.so\.6 is missing/)
  assert.match(line, /apt-get install -y libstdc\+\+6/)
  assert.doesNotMatch(line, /\n/)
})

test('a system library that is too old is one line that names what it lacks', () => {
  const stderr = "node: /lib/libc.so.6: version `GLIBC_2.28' not found (required by node)\nnode: and so on\n"
  const line = describeFailedStart({ stderr })
  assert.match(line, /older than GLIBC_2\.28/)
  assert.doesNotMatch(line, /\n/)
})

test('a Node that cannot be executed at all is one line too', () => {
  const line = describeFailedStart({ stderr: null, error: new Error('spawn node ENOENT') })
  assert.match(line, /cannot start here: spawn node ENOENT\. Install Node\.js 24/)
})
