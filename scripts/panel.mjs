// Brings a checkout into a state in which it can run (npm packages, build) and hands over to the panel's own commands. A release is in that
// state. It runs before anything is installed, so it uses Node alone.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const isRelease = existsSync(join(root, 'release.json'))
const [major, minor] = process.versions.node.split('.').map(Number)
if (!(major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)))
  fail(`Node.js 24, 22.12, 20.19 or newer is needed; this is ${process.version}.`)

const commands = {
  up: 'install what is missing, start everything, and run the panel in the foreground',
  serve: 'run only the panel, on what is configured and running',
  demo: 'up, plus a sample site',
  doctor: 'look at every real part and say what to do about it',
  test: 'install what the tests need and run them all',
  audit: 'verify: check that nobody changed the audit log in the store',
  user: 'enrol-2fa <email>, reset-password <email>: for accounts that are locked out',
  dns: 'secondary: print the configuration of a second name server',
  cli: 'log in to a panel, here or elsewhere, and deploy, read logs, set variables, … ("cli help")'
}
if (isRelease) delete commands.test
const usage = `Usage: ./panel <command>

${Object.entries(commands)
  .map(([name, text]) => `  ${name.padEnd(8)} ${text}`)
  .join('\n')}

Settings are environment variables; docs/operations.md lists them.`

const [command = 'help', ...args] = process.argv.slice(2)
if (['help', '--help', '-h'].includes(command)) {
  console.log(usage)
} else if (!Object.hasOwn(commands, command)) {
  console.error(`${usage}\n`)
  fail(`There is no command "${command}".`)
} else {
  if (!isRelease) {
    installPackages()
    build()
    if (['up', 'serve', 'demo', 'test'].includes(command)) await buildPages()
  }
  const load = (path) => import(pathToFileURL(join(root, path)).href)
  if (command === 'cli') {
    // A program of its own, which also runs where there is no panel.
    process.argv.splice(2, 1)
    await load('packages/cli/dist/main.js')
  } else {
    const { main } = await load('packages/server/dist/bundle/cli/main.js')
    await main(command, args, root)
  }
}

/**
 * npm writes node_modules/.package-lock.json last, so a cut-off install is seen and done again. No package is of one version of Node.js alone,
 * and none may run anything: .npmrc says so.
 */
function installPackages() {
  const marker = join(root, 'node_modules/.panel-lock')
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  step('Installing npm packages (about half a minute)')
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'])
  writeFileSync(marker, wanted)
}

function build() {
  const marker = join(root, 'packages/server/dist/.built')
  const packages = ['contract', 'server', 'client', 'cli'].map((name) => join(root, 'packages', name))
  const newest = Math.max(
    ...packages.flatMap((path) => [...mtimes(join(path, 'src')), statSync(join(path, 'package.json')).mtimeMs]),
    ...['scripts/bundle.mjs', 'package-lock.json'].map((path) => statSync(join(root, path)).mtimeMs)
  )
  if (existsSync(marker) && statSync(marker).mtimeMs >= newest) return
  step('Building')
  run(process.execPath, [
    join(root, 'node_modules/typescript7/bin/tsc'),
    '-b',
    'packages/contract',
    'packages/server',
    'packages/cli'
  ])
  run(process.execPath, [join(root, 'scripts/bundle.mjs'), root])
  writeFileSync(marker, '')
}

async function buildPages() {
  const { buildDashboard } = await import('./dashboard.mjs')
  try {
    buildDashboard(root, () => step('Building the dashboard'))
  } catch (error) {
    fail(error.message)
  }
}

function* mtimes(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    // A directory's own time tells of files that are gone.
    yield statSync(path).mtimeMs
    if (entry.isDirectory()) yield* mtimes(path)
  }
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error) fail(`${program} could not be started: ${error.message}`)
  if (status !== 0) fail(`${[program, ...args].join(' ')} failed.`)
}

function step(text) {
  console.error(`· ${text}`)
}

function fail(text) {
  console.error(`panel: ${text}`)
  process.exit(1)
}
