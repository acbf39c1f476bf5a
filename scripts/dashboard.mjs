// Builds the dashboard (packages/dashboard) where its sources have changed since. It runs before the panel starts, so it uses Node alone besides Vite.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { putBack, putInPlace } from './put-in-place.mjs'

/** What a build is made of. */
const sources = [
  'package-lock.json',
  'packages/contract/src',
  'packages/client/src',
  'packages/dashboard/src',
  'packages/dashboard/public',
  'packages/dashboard/index.html',
  'packages/dashboard/vite.config.ts',
  'packages/dashboard/first-requests.plugin.ts'
]

const place = (root) => join(root, 'packages/dashboard/dist')

const marker = (root) => join(place(root), '.built')

/** Whether it is built of what its sources are now. */
export function isDashboardBuilt(root, wanted = hashOf(root)) {
  return existsSync(marker(root)) && readFileSync(marker(root), 'utf8') === wanted
}

/** Throws where Vite fails. `onBuild` is called before it starts. Tabs that are open have the assets of the build before. */
export function buildDashboard(root, onBuild = () => {}) {
  const dist = place(root)
  putBack(dist)
  const wanted = hashOf(root)
  if (isDashboardBuilt(root, wanted)) return
  onBuild()
  const next = `${dist}.new`
  runVite(root, next)
  writeFileSync(join(next, '.built'), wanted)
  putInPlace(next, dist, 'assets')
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
