import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer, type Running } from './running.ts'

const RIVALS = join(import.meta.dirname, '../rivals')
const SQLITE_FILE = 'proofdesk.sqlite'
/** Debian's, which has its packages of Django; another one on the path has not. */
const PYTHON = '/usr/bin/python3'
const PEER_KEY = '0123456789abcdef0123456789abcdef'

/** A server that does nothing, in node:http. */
export function startHello(): Promise<Running> {
  return startServer('bare node:http', (port) => ({
    command: process.execPath,
    args: [join(RIVALS, 'hello.ts'), String(port)],
  }))
}

/** The own list over node:http and SQL by hand, on the database of an instance. */
export function startRawOwnList(folder: string): Promise<Running> {
  return startServer('raw node:http and SQL', (port) => ({
    command: process.execPath,
    args: [join(RIVALS, 'raw-own-list.ts'), String(port), join(folder, SQLITE_FILE)],
  }))
}

/** The same on PostgreSQL. */
export function startRawOwnListOnPostgres(url: string): Promise<Running> {
  return startServer('raw node:http and SQL on PostgreSQL', (port) => ({
    command: process.execPath,
    args: [join(RIVALS, 'raw-own-list-postgres.ts'), String(port), url],
  }))
}

/** A stranger's verification over node:http and SQL by hand, on the database and the files of an instance. */
export function startRawVerify(folder: string): Promise<Running> {
  return startServer('verifying by hand', (port) => ({
    command: process.execPath,
    args: [join(RIVALS, 'raw-verify.ts'), String(port), join(folder, SQLITE_FILE), join(folder, 'blobs')],
  }))
}

/** Signing in over node:http and SQL by hand, on the database of an instance. */
export function startRawSignIn(folder: string): Promise<Running> {
  return startServer(
    'signing in by hand',
    (port) => ({
      command: process.execPath,
      args: [join(RIVALS, 'raw-sign-in.ts'), String(port), join(folder, SQLITE_FILE)],
    }),
    'wide-server',
  )
}

/** Taking a file over node:http by hand, on the disk of an instance. */
export function startRawUpload(folder: string): Promise<Running> {
  return startServer(
    'taking a file by hand',
    (port) => ({
      command: process.execPath,
      args: [join(RIVALS, 'raw-upload.ts'), String(port), join(folder, 'raw-uploads')],
    }),
    'everywhere',
  )
}

/** @returns why there is no peer on this machine; undefined where there is one. */
export function whyNoDjango(onPostgres = false): string | undefined {
  const modules = ['django', 'rest_framework', 'jwt', 'gunicorn', ...(onPostgres ? ['psycopg2'] : [])]
  const { status } = spawnSync(PYTHON, ['-c', `import ${modules.join(', ')}`])
  return status === 0
    ? undefined
    : `Django REST Framework: not installed (Debian: python3-django python3-djangorestframework python3-jwt gunicorn${onPostgres ? ' python3-psycopg2' : ''})`
}

/**
 * The peer in Django REST Framework, one gunicorn worker, on the database and the files of an instance.
 * @param postgresUrl Where its tables are, if they are not in SQLite.
 */
export function startDjango(folder: string, postgresUrl?: string): Promise<Running> {
  return startServer('Django REST Framework', (port) => ({
    command: PYTHON,
    args: ['-m', 'gunicorn', '-w', '1', '-b', `127.0.0.1:${port}`, '--log-level', 'warning', 'peer_drf:application'],
    cwd: RIVALS,
    env: {
      PEER_DATABASE: postgresUrl ?? join(folder, SQLITE_FILE),
      PEER_FILES: join(folder, 'blobs'),
      PEER_UPLOADS: join(folder, 'incoming'),
      PEER_KEY,
      PYTHONDONTWRITEBYTECODE: '1',
    },
  }))
}

/** The headers of a call to the peer by a person. */
export function signDjangoToken(userId: number): Record<string, string> {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const exp = Math.floor(Date.now() / 1000) + 24 * 60 * 60
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode({ user_id: userId, exp })}`
  return { authorization: `Bearer ${signed}.${createHmac('sha256', PEER_KEY).update(signed).digest('base64url')}` }
}

/** @returns why there is no nginx on this machine; undefined where there is one. */
export function whyNoNginx(): string | undefined {
  return spawnSync('nginx', ['-v']).status === 0 ? undefined : 'nginx: not installed (Debian: nginx-light)'
}

/** nginx with one worker, sending the files below a folder by sendfile. */
export async function startNginx(root: string): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'proofdesk-nginx-'))
  const running = await startServer('nginx', (port) => {
    const config = join(folder, 'nginx.conf')
    writeFileSync(config, writeNginxConfig(folder, root, port))
    return { command: 'nginx', args: ['-p', folder, '-c', config, '-e', join(folder, 'error.log')] }
  })
  return {
    ...running,
    stop: async () => {
      await running.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

function writeNginxConfig(folder: string, root: string, port: number): string {
  const isRoot = process.getuid?.() === 0
  return `${isRoot ? 'user root;\n' : ''}daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=100;
  types { application/pdf pdf; }
  default_type application/pdf;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server { listen 127.0.0.1:${port}; root ${root}; }
}
`
}
