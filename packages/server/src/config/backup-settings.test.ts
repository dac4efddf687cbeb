import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './config.ts'

test('18.23 backups are not put into the folder that they save, in whatever way it is written', () => {
  const words = /^ConfigError: BACKUP_DIR is wrong: it is DATA_DIR, which is what is to be saved$/
  for (const BACKUP_DIR of ['data', '/srv/data', '/srv/data/', './data/../data'])
    assert.throws(() => readConfig({ BACKUP_DIR }, '/srv'), words, BACKUP_DIR)
  assert.equal(readConfig({ BACKUP_DIR: 'backups' }, '/srv').backupDir, '/srv/backups')
})

test('18.42 a place of backups that the stored files would lie in is refused, since what is not of backups goes there', () => {
  const secrets = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' }
  const at = (path: string, endpoint = 'https://s3.test') => `s3://desk${path}?endpoint=${endpoint}`
  const read = (STORAGE_URL: string, BACKUP_DIR: string) => readConfig({ STORAGE_URL, BACKUP_DIR, ...secrets }, '/srv')
  const words = /^ConfigError: BACKUP_DIR is wrong: the files of STORAGE_URL lie in it, /
  for (const [storage, backups] of [
    ['', ''],
    ['/files', ''],
    ['/a/files', '/a'],
    ['/a', '/a/'],
  ] as const)
    assert.throws(() => read(at(storage), at(backups)), words, `${storage} in ${backups}`)
  for (const [storage, backups] of [
    [at(''), at('/backups')],
    [at('/a'), at('/ab')],
    [at('/ab'), at('/a')],
    [at('/files'), at('', 'https://other.test')],
    [at('/files'), at('').replace('desk', 'backups')],
  ] as const)
    assert.equal(read(storage, backups).backupDir, backups)
})
