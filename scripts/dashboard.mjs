// Builds the dashboard (packages/dashboard) where its sources have changed since. It runs before the panel starts, so it uses Node alone besides Vite.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** What a build is made of. */
const sources = [
  'package-lock.json',
  'packages/contract/src',
  'packages/client/src',
  'packages/dashboard/src',
  'packages/dashboard/public',
  'packages/dashboard/index.html',
  'packages/dashboard/vite.config.ts'
]

/**
 * A crash in the middle leaves the build before in place. The assets of the build before stay beside the new ones, for tabs that are open;
 * those before it go. Throws where Vite fails. `onBuild` is called before it starts.
 */
export function buildDashboard(root, onBuild = () => {}) {
  const folder = join(root, 'packages/dashboard')
  const [dist, next, previous] = ['dist', 'dist.new', 'dist.old'].map((name) => join(folder, name))
  const wanted = hashOf(root)
  if (!existsSync(dist) && existsSync(previous)) renameSync(previous, dist)
  const built = existsSync(join(dist, '.built')) ? readFileSync(join(dist, '.built'), 'utf8') : ''
  if (built === wanted) return
  onBuild()
  runVite(root, next)
  const own = readdirSync(join(next, 'assets'))
  const before = existsSync(join(dist, 'assets.json'))
    ? JSON.parse(readFileSync(join(dist, 'assets.json'), 'utf8'))
    : []
  for (const asset of before)
    if (!own.includes(asset) && existsSync(join(dist, 'assets', asset)))
      cpSync(join(dist, 'assets', asset), join(next, 'assets', asset))
  writeFileSync(join(next, 'assets.json'), JSON.stringify(own))
  writeFileSync(join(next, '.built'), wanted)
  rmSync(previous, { recursive: true, force: true })
  if (existsSync(dist)) renameSync(dist, previous)
  renameSync(next, dist)
  rmSync(previous, { recursive: true, force: true })
}

/** Builds it into a directory, whose content goes. */
export function runVite(root, directory) {
  // Its own, whichever the tests have.
  const { resolve } = createRequire(join(root, 'packages/dashboard/package.json'))
  const vite = join(dirname(resolve('vite/package.json')), 'bin/vite.js')
  const args = [vite, 'build', '--outDir', directory, '--emptyOutDir', '--logLevel', 'warn']
  const cwd = join(root, 'packages/dashboard')
  // Whatever it is here: React builds for development would be twice the size.
  const env = { ...process.env, NODE_ENV: 'production' }
  const { status, error } = spawnSync(process.execPath, args, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error || status !== 0) throw new Error(`The dashboard could not be built${error ? `: ${error.message}` : ''}`)
}

function hashOf(root) {
  const hash = createHash('sha256')
  for (const path of sources.flatMap((source) => filesOf(root, source)))
    hash.update(`${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex')
}

/** The file itself, or all files below the folder, in an order that does not depend on the disk. */
function filesOf(root, source) {
  if (!statSync(join(root, source)).isDirectory()) return [source]
  const entries = readdirSync(join(root, source), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort()
}
