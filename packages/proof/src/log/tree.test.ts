import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toHex } from '../bytes.ts'
import { testLogVectors } from '../testing/log-vectors.ts'
import { writeUtf8 } from '../utf8.ts'
import { EMPTY_ROOT, hashChildren, hashLeaf, verifyConsistency, verifyInclusion } from './tree.ts'

const read = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))
const leaf = (text: string) => hashLeaf(writeUtf8(text))

testLogVectors('leaves, nodes and the empty tree hash as they do elsewhere', ({ hasher }) => {
  assert.equal(toHex(EMPTY_ROOT), hasher.empty_root_hex)
  assert.equal(toHex(hashLeaf(new Uint8Array())), hasher.empty_leaf_hex)
  assert.equal(toHex(leaf(hasher.leaf.data_utf8)), hasher.leaf.hash_hex)
  const { left_utf8, right_utf8, hash_hex } = hasher.node
  assert.equal(toHex(hashChildren(writeUtf8(left_utf8), writeUtf8(right_utf8))), hash_hex)
})

testLogVectors(
  'inclusion is judged as elsewhere in every case, and nothing but a ProofError is thrown',
  ({ inclusion }) => {
    for (const { id, leafIdx, treeSize, root, leafHash, proof, wantErr } of inclusion.cases) {
      const judge = () =>
        verifyInclusion({
          index: leafIdx,
          size: treeSize,
          leafHash: read(leafHash),
          path: (proof ?? []).map(read),
          root: read(root),
        })
      if (wantErr) assert.throws(judge, { name: 'ProofError' }, id)
      else assert.doesNotThrow(judge, id)
    }
    assert.ok(inclusion.cases.length >= 98)
  },
)

testLogVectors(
  'consistency is judged as elsewhere in every case, and hashes of other lengths are refused',
  ({ consistency }) => {
    for (const { id, size1, size2, root1, root2, proof, wantErr, strict_may_reject } of consistency.cases) {
      const judge = () =>
        verifyConsistency({
          oldSize: size1,
          oldRoot: read(root1),
          newSize: size2,
          newRoot: read(root2),
          path: (proof ?? []).map(read),
        })
      if (wantErr || strict_may_reject) assert.throws(judge, { name: 'ProofError' }, id)
      else assert.doesNotThrow(judge, id)
    }
    assert.ok(consistency.cases.length >= 98)
  },
)

test('a tree of one entry is its own proof', () => {
  const proof = { index: 0, size: 1, leafHash: leaf('a'), path: [], root: leaf('a') }
  verifyInclusion(proof)
  assert.throws(() => verifyInclusion({ ...proof, root: leaf('b') }), { code: 'log_inclusion' })
  assert.throws(() => verifyInclusion({ ...proof, path: [leaf('b')] }), { code: 'log_inclusion' })
})

test('hashes that are shorter or longer than 32 bytes are refused, also where they would be equal', () => {
  for (const length of [0, 31, 33]) {
    const hash = new Uint8Array(length)
    assert.throws(() => verifyInclusion({ index: 0, size: 1, leafHash: hash, path: [], root: hash }), {
      code: 'log_inclusion',
    })
    for (const [oldSize, newSize, path] of [
      [1, 1, []],
      [1, 2, [hash]],
      [3, 4, [hash, hash]],
    ] as const) {
      assert.throws(() => verifyConsistency({ oldSize, newSize, oldRoot: hash, newRoot: hash, path }), {
        code: 'log_consistency',
      })
    }
    const joined = hashChildren(leaf('a'), hash)
    assert.throws(() => verifyInclusion({ index: 0, size: 2, leafHash: leaf('a'), path: [hash], root: joined }), {
      code: 'log_inclusion',
    })
  }
})

test('an inner node cannot be passed off as an entry', () => {
  const [a, b, c] = [leaf('a'), leaf('b'), leaf('c')]
  const left = hashChildren(a, b)
  const root = hashChildren(left, c)
  verifyInclusion({ index: 0, size: 3, leafHash: a, path: [b, c], root })
  const inner = Uint8Array.from([...a, ...b])
  assert.throws(() => verifyInclusion({ index: 0, size: 2, leafHash: hashLeaf(inner), path: [c], root }), {
    code: 'log_inclusion',
  })
})

test('sizes and indexes that no tree can have are refused', () => {
  const hash = leaf('a')
  for (const number of [-1, 0.5, Number.NaN, Infinity, 2 ** 53]) {
    assert.throws(() => verifyInclusion({ index: number, size: 9, leafHash: hash, path: [], root: hash }), {
      code: 'log_range',
    })
    assert.throws(() => verifyInclusion({ index: 0, size: number, leafHash: hash, path: [], root: hash }), {
      code: 'log_range',
    })
    for (const [oldSize, newSize] of [
      [number, 9],
      [1, number],
    ] as const) {
      assert.throws(() => verifyConsistency({ oldSize, newSize, oldRoot: hash, newRoot: hash, path: [] }), {
        code: 'log_range',
      })
    }
  }
  assert.throws(() => verifyInclusion({ index: 9, size: 9, leafHash: hash, path: [], root: hash }), {
    code: 'log_range',
  })
})

test('nothing is proved from an empty tree, nor to a smaller one', () => {
  const hash = leaf('a')
  for (const [oldSize, newSize] of [
    [0, 0],
    [0, 1],
    [2, 1],
  ] as const) {
    assert.throws(() => verifyConsistency({ oldSize, newSize, oldRoot: EMPTY_ROOT, newRoot: hash, path: [] }), {
      code: 'log_range',
    })
  }
})

test('a path of a million hashes is refused at the first that is too many', () => {
  const path = Array.from({ length: 1_000_000 }, () => EMPTY_ROOT)
  const root = leaf('a')
  assert.throws(() => verifyInclusion({ index: 2 ** 52, size: 2 ** 53 - 1, leafHash: root, path, root }), {
    code: 'log_inclusion',
  })
  assert.throws(
    () => verifyConsistency({ oldSize: 2 ** 52 + 1, newSize: 2 ** 53 - 1, oldRoot: root, newRoot: root, path }),
    {
      code: 'log_consistency',
    },
  )
})
