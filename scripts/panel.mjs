// Starts a command of the panel; in a checkout, prepares it first (prepare.mjs). Runs before any package is installed, so it imports only Node's own
// modules.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const isRelease = existsSync(join(root, 'release.json'))
const [major, minor] = process.versions.node.split('.').map(Number)
if (!(major >= 24 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)))
  fail(`Node.js 24 is required (22.12 and 20.19 also work); this is ${process.version}. Install it, or set PANEL_NODE.`)

const commands = {
  up: 'install what is missing, start everything, and run the panel in the foreground',
  serve: 'run only the panel, on what is configured and running',
  demo: 'up, plus a sample agency',
  doctor: 'check the server and say what to do; --fix repairs what is safe to repair',
  logs: '[part] [-f] [--since 1h]: the logs of the panel and its programs',
  support: '[file]: write an archive without secrets for the person who helps you',
  explain: '<hostname>: find out why a site does not answer',
  upgrade: '<release>: replace this version by a newer one; rolls back automatically if that does not run',
  restore: '<target>: put a whole panel back from a backup, on an empty machine',
  test: 'run the tests: the gate, the areas you name, or everything with --all',
  audit: 'verify: check that the audit log was not changed',
  user: 'enrol-2fa <email>, reset-password <email>: let a locked-out user in again',
  dns: 'secondary: print the configuration of a second name server',
  store: 'where the database of the panel is; move: move it into another PostgreSQL',
  disk: 'what takes the room on the server; clean [--yes]: what can go, and remove it',
  firewall: 'status, rules, confirm, off, bans, ban, unban: manage the firewall and bans',
  cli: 'use a panel through its API: log in, deploy, read logs, set variables ("cli help")'
}
if (isRelease) delete commands.test
const usage = `Usage: ./panel <command>

${Object.entries(commands)
  .map(([name, text]) => `  ${name.padEnd(8)} ${text}`)
  .join('\n')}

docs/settings.md lists the settings.`

const [command = 'help', ...args] = process.argv.slice(2)
if (['help', '--help', '-h'].includes(command)) {
  console.log(usage)
} else if (!Object.hasOwn(commands, command)) {
  console.error(`${usage}\n`)
  fail(`There is no command "${command}".`)
} else {
  if (!isRelease) await prepareCheckout(['up', 'serve', 'demo', 'test'].includes(command))
  const load = (path) => import(pathToFileURL(join(root, path)).href)
  if (command === 'cli') {
    // A package of its own, which also runs on machines without a panel.
    process.argv.splice(2, 1)
    await load('packages/cli/dist/main.js')
  } else {
    const { main } = await load('packages/server/dist/bundle/cli/main.js')
    await main(command, args, root)
  }
}

async function prepareCheckout(pages) {
  const { prepare } = await import('./prepare.mjs')
  if (!prepare(root, { pages })) process.exit(1)
}

function fail(text) {
  console.error(`panel: ${text}`)
  process.exit(1)
}
