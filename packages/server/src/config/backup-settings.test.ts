import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'

test('18.23 backups are not put into the folder that they save, in whatever way it is written', () => {
  const words = /^ConfigError: BACKUP_DIR is wrong: it is DATA_DIR, which is what is to be saved$/
  for (const BACKUP_DIR of ['data', '/srv/data', '/srv/data/', './data/../data'])
    assert.throws(() => readConfig({ BACKUP_DIR }, '/srv'), words, BACKUP_DIR)
  assert.equal(readConfig({ BACKUP_DIR: 'backups' }, '/srv').backupDir, '/srv/backups')
})
