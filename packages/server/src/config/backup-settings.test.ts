import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConfig } from './config.ts'

test('18.23 backups are not put into the folder that they save, in whatever way it is written', () => {
  const words = /^ConfigError: BACKUP_DIR is wrong: it is DATA_DIR, which is what is to be saved$/
  for (const BACKUP_DIR of ['data', '/srv/data', '/srv/data/', './data/../data'])
    assert.throws(() => readConfig({ BACKUP_DIR }, '/srv'), words, BACKUP_DIR)
  assert.equal(readConfig({ BACKUP_DIR: 'backups' }, '/srv').backupDir, '/srv/backups')
})

test('18.42 nor into one that the data or the keys lie in, by whatever links', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'backups-'))
  t.after(() => rmSync(root, { recursive: true }))
  mkdirSync(join(root, 'srv'))
  symlinkSync(join(root, 'srv'), join(root, 'link'))
  const read = (BACKUP_DIR: string, environment = {}) => readConfig({ BACKUP_DIR, ...environment }, join(root, 'srv'))
  const around = /^ConfigError: BACKUP_DIR is wrong: DATA_DIR lies in it, which is what is to be saved$/
  for (const place of ['.', '..', '/', join(root, 'link'), join(root, 'link', 'x', '..')])
    assert.throws(() => read(place), around, place)
  assert.throws(() => read('backups', { DATA_DIR: 'backups/files/data' }), around)
  assert.throws(() => read(join(root, 'link', 'data')), /it is DATA_DIR/)
  const keys = /^ConfigError: BACKUP_DIR is wrong: KEYS_DIR lies in it, which is to lie beside no backup$/
  for (const KEYS_DIR of ['backups', 'backups/keys', '../link/backups/keys'])
    assert.throws(() => read('backups', { KEYS_DIR }), keys, KEYS_DIR)
  for (const place of ['backups', 'data2', 'dat', 'data/backups', join(root, 'link', 'backups')]) read(place)
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
