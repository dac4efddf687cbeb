import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { canInstallDebianPackages, installDebianPackages } from '../debian-packages.mjs'

/** Programs by other people that judge what the product makes, or what they need, and the Debian package each comes from. */
const JUDGES = {
  qpdf: 'qpdf',
  pdfsig: 'poppler-utils',
  pdftoppm: 'poppler-utils',
  pdftotext: 'poppler-utils',
  openssl: 'openssl',
  zbarimg: 'zbar-tools',
  certutil: 'libnss3-tools',
  go: 'golang-go',
  python3: 'python3',
  radosgw: 'radosgw',
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  ceph: 'ceph-common',
  '/usr/lib/python3/dist-packages/dkim': 'python3-dkim',
  spamassassin: 'spamassassin',
  '/usr/sbin/clamd': 'clamav-daemon',
  '/usr/share/gocode/src/golang.org/x/mod/sumdb/tlog': 'golang-golang-x-mod-dev',
}

/** Brings the outside judges here where that is possible; says which tests will be skipped where it is not. */
export function ensureJudges(): void {
  const missing = listMissingPackages()
  if (missing.length === 0) return
  if (canInstallDebianPackages() && installDebianPackages(missing) && listMissingPackages().length === 0) return
  console.error(
    `Not on this machine: ${listMissingPackages().join(', ')}. Tests that need them are skipped, or fail if CI=true.`,
  )
}

function listMissingPackages(): string[] {
  const missing = Object.entries(JUDGES).flatMap(([program, name]) =>
    isInPath(program) || existsSync(program) ? [] : [name],
  )
  return [...new Set(missing)]
}

function isInPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}
