import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const LIMIT_MS = 10 * 60_000

/** True where `installDebianPackages` may be tried. */
export function canInstallDebianPackages() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version')
}

/**
 * Installs packages by apt, waiting for others who use it.
 * @param {string[]} names
 * @returns {boolean} whether apt says it went well
 */
export function installDebianPackages(names) {
  console.error(`Installing ${names.join(', ')} by apt …`)
  // stdout carries results of this project's scripts, so apt speaks on stderr only.
  const options = {
    stdio: ['ignore', 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    timeout: LIMIT_MS,
  }
  const quiet = ['-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0']
  spawnSync('apt-get', [...quiet, 'update'], options)
  return spawnSync('apt-get', [...quiet, 'install', '-y', '--no-install-recommends', ...names], options).status === 0
}
