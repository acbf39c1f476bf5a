import type { ParseArgsConfig } from 'node:util'
import { changeBackupSettings, createBackup, listBackups, restoreBackup } from './commands/backups.ts'
import { databases } from './commands/databases.ts'
import { deploy } from './commands/deploy.ts'
import { addDomain, listDomains, verifyDomain } from './commands/domains.ts'
import { listRules, saveRules, testRules } from './commands/domain-rules.ts'
import { explain } from './commands/explain.ts'
import { exportEnv, importEnv, listEnv, setEnv, unsetEnv } from './commands/env.ts'
import { login, logout } from './commands/login.ts'
import { logs } from './commands/logs.ts'
import { projects } from './commands/projects.ts'
import { showOrChangeSettings } from './commands/settings.ts'
import { addJob, listJobs, listRuns, removeJob, runCommand, runJob } from './commands/runs.ts'
import { whoami } from './commands/whoami.ts'
import type { Call, SignedInCall } from './context.ts'

type Command = {
  usage: string
  about: string
  options?: NonNullable<ParseArgsConfig['options']>
  least: number
  most?: number
} & ({ start: (call: Call) => Promise<void> } | { run: (call: SignedInCall) => Promise<void> })

const project = { project: { type: 'string', short: 'p' } } as const

export const commands: Readonly<Record<string, Command>> = {
  login: {
    usage: 'login [--url <panel URL>] [--token-file <file>]',
    about: 'sign in with an API token from standard input or a file',
    options: { url: { type: 'string' }, 'token-file': { type: 'string' } },
    least: 0,
    start: login
  },
  logout: { usage: 'logout', about: 'remove the token from this machine', least: 0, start: logout },
  whoami: { usage: 'whoami', about: 'show the account of the token', least: 0, run: whoami },
  projects: { usage: 'projects', about: 'list your projects', least: 0, run: projects },
  settings: {
    usage: 'settings <project> [<name>=<value>…]',
    about: 'show how a project is built and released, or change it from the next deployment on; an empty value resets',
    least: 1,
    most: 50,
    run: showOrChangeSettings
  },
  deploy: {
    usage: 'deploy <project> [--wait]',
    about: 'build and deploy the latest commit; with --wait, follow the log',
    options: { wait: { type: 'boolean' } },
    least: 1,
    run: deploy
  },
  logs: {
    usage: 'logs <project> [-f] [--tail <lines>]',
    about: 'show the container log; with -f, follow it',
    options: { follow: { type: 'boolean', short: 'f' }, tail: { type: 'string' } },
    least: 1,
    run: logs
  },
  explain: {
    usage: 'explain <hostname>',
    about: 'find out why a site of yours does not answer',
    least: 1,
    run: explain
  },
  'env list': {
    usage: 'env list <project>',
    about: 'list the variables, without their values',
    least: 1,
    run: listEnv
  },
  'env set': {
    usage: 'env set <project> <name> < value',
    about: 'set a variable to the value from standard input',
    options: { 'not-sensitive': { type: 'boolean' } },
    least: 2,
    run: setEnv
  },
  'env unset': {
    usage: 'env unset <project> <name>…',
    about: 'delete variables',
    least: 2,
    most: 100,
    run: unsetEnv
  },
  'env import': {
    usage: 'env import <project> [--overwrite] < .env',
    about: 'import variables from a .env file on standard input',
    options: { overwrite: { type: 'boolean' } },
    least: 1,
    run: importEnv
  },
  'env export': {
    usage: 'env export <project> > .env',
    about: 'export variables with values as a .env file to standard output',
    least: 1,
    run: exportEnv
  },
  'domains list': {
    usage: 'domains list [--project <project>]',
    about: 'list your domains',
    options: project,
    least: 0,
    run: listDomains
  },
  'domains add': {
    usage: 'domains add <hostname> [--project <project>]',
    about: 'add a domain and show the DNS records that verify it',
    options: project,
    least: 1,
    run: addDomain
  },
  'domains verify': {
    usage: 'domains verify <hostname>',
    about: 'check the verification record',
    least: 1,
    run: verifyDomain
  },
  'domains rules-list': {
    usage: 'domains rules-list <hostname>',
    about: 'list the rules of a domain; with --json, as domains rules-save reads them',
    least: 1,
    run: listRules
  },
  'domains rules-save': {
    usage: 'domains rules-save <hostname> < rules.json',
    about: 'replace the rules of a domain by those from standard input',
    least: 1,
    run: saveRules
  },
  'domains rules-test': {
    usage: 'domains rules-test <url> [--address <IP address>]',
    about: 'show which rules a URL meets',
    options: { address: { type: 'string' } },
    least: 1,
    run: testRules
  },
  'backups list': {
    usage: 'backups list <project>',
    about: 'list the backups of a project',
    least: 1,
    run: listBackups
  },
  'backups create': {
    usage: 'backups create <project> [--wait]',
    about: 'back up a project on every target; with --wait, until it was read back',
    options: { wait: { type: 'boolean' } },
    least: 1,
    run: createBackup
  },
  'backups restore': {
    usage: 'backups restore <project> <backup> [--path <file or folder>] [--database <name>]',
    about: 'restore all files, a path into a new folder, or a database into a new one',
    options: { path: { type: 'string' }, database: { type: 'string' } },
    least: 2,
    run: restoreBackup
  },
  'backups settings': {
    usage: 'backups settings <project> [--at <hh:mm>|--at never] [--exclude <pattern>] [--include <pattern>]',
    about: 'show or change the time of a project’s own backups, and what they skip',
    options: { at: { type: 'string' }, exclude: { type: 'string' }, include: { type: 'string' } },
    least: 1,
    run: changeBackupSettings
  },
  run: {
    usage: 'run <project> [--timeout <seconds>] [--detach] -- <command> [arguments]',
    about: 'run a command in a new container of the live release; exits with its status',
    options: { timeout: { type: 'string' }, detach: { type: 'boolean' } },
    least: 2,
    most: 65,
    run: runCommand
  },
  runs: { usage: 'runs <project> [job]', about: 'list runs of jobs and commands', least: 1, most: 2, run: listRuns },
  'cron list': { usage: 'cron list <project>', about: 'list the scheduled jobs', least: 1, run: listJobs },
  'cron add': {
    usage:
      "cron add <project> <name> '<schedule>' [--timezone <name>] [--timeout <seconds>] [--overlap skip|queue|replace] -- <command> [arguments]",
    about: "add a scheduled job, for example at '30 2 * * *'",
    options: { timezone: { type: 'string' }, timeout: { type: 'string' }, overlap: { type: 'string' } },
    least: 4,
    most: 67,
    run: addJob
  },
  'cron run': { usage: 'cron run <project> <job>', about: 'run a scheduled job now', least: 2, run: runJob },
  'cron remove': { usage: 'cron remove <project> <job>', about: 'delete a scheduled job', least: 2, run: removeJob },
  databases: { usage: 'databases', about: 'list your databases', least: 0, run: databases }
}

export const usageOf = (words: string): string => `panel-cli ${commands[words]!.usage}`

export function usage(): string {
  const lines = Object.values(commands).map(({ usage: words, about }) => `  ${words}\n      ${about}`)
  return `Usage: panel-cli <command> [--json]

${lines.join('\n')}

<project> is a name or an id. Results go to standard output as tables, or as JSON with --json; messages go to standard error.
Exit codes: 0 success, 1 failed, 2 invalid arguments, 3 not signed in, 4 panel unreachable.
PANEL_URL and PANEL_TOKEN in the environment override the stored login.
`
}
