import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { X509Certificate } from 'node:crypto'
import { listIssuingKeyFiles, readIssuingCertificates } from '@proofdesk/certify/issuing-keys'
import type { HealthReport, IssuingCertificate, KeyFile } from '@proofdesk/contract/health'
import type { Deps } from '../../deps.ts'
import { judgeKeys } from './judge-parts.ts'

/** As they are on the disk now; the server itself has read them at its start. */
export async function measureKeys({ config, logger, now }: Deps): Promise<HealthReport['keys']> {
  const certificates = await readCertificates(config.keysDir).catch((error: unknown) => {
    logger.fail('the issuing certificates cannot be read', error)
    return []
  })
  const files = await Promise.all(
    listFiles(config).map(async ([what, path]) => ({ what, written_at: await findAge(path) })),
  )
  const measured = { certificates, files }
  return { state: judgeKeys(measured, now()), ...measured }
}

async function readCertificates(dir: string): Promise<IssuingCertificate[]> {
  const { ca, leaf } = await readIssuingCertificates(dir)
  return [describeCertificate('document_signing', leaf), describeCertificate('authority', ca)]
}

function describeCertificate(
  what: IssuingCertificate['what'],
  { subject, validFromDate, validToDate }: X509Certificate,
): IssuingCertificate {
  return {
    what,
    // One attribute a line, as Node has it.
    subject: subject.split('\n').join(', '),
    begins_at: validFromDate.toISOString(),
    ends_at: validToDate.toISOString(),
  }
}

function listFiles({ keysDir, witnessedLogs }: Deps['config']): [KeyFile['what'], string][] {
  const [authority = '', signing = ''] = listIssuingKeyFiles(keysDir)
  const files: [KeyFile['what'], string][] = [
    ['document_signing', signing],
    ['authority', authority],
    ['log', join(keysDir, 'log.key.pem')],
    ['paper', join(keysDir, 'paper.key.pem')],
    ['secrets', join(keysDir, 'secrets.key')],
  ]
  if (witnessedLogs.length > 0) files.push(['witness', join(keysDir, 'witness.key.pem')])
  return files
}

/** Null where it is gone, or nobody lets us look. */
async function findAge(path: string): Promise<string | null> {
  return stat(path).then(
    ({ mtime }) => mtime.toISOString(),
    () => null,
  )
}
