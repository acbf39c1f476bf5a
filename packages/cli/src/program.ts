import { Command as CommanderCommand, CommanderError } from 'commander'
import tab from '@bomb.sh/tab/commander'
import { type Command, takesProject } from './command.ts'
import { type Context, program as programName } from './context.ts'

const groups: Readonly<Record<string, string>> = {
  deliveries: 'webhook deliveries: list, show, replay',
  env: 'environment variables of projects and groups',
  domains: 'domains and their verification',
  dns: 'DNS records of a domain',
  db: 'databases: create, connect, dump, load',
  mail: 'mailboxes',
  files: 'files of a project',
  registries: 'credentials for image registries',
  volumes: 'volumes of a project',
  ports: 'published TCP ports of a project',
  machines: 'machines of the installation (administrators)',
  cron: 'scheduled jobs of a project',
  cache: 'page cache of a WordPress site',
  wordpress: 'WordPress sites: updates, sign-in, staging, search and replace',
  backups: 'backups of a project'
}

const footer = `
[project] is a name or an id. It is optional in a folder linked with "${programName} link".
Results go to standard output as tables, or as JSON with --json; messages go to standard error.
Exit codes: 0 success, 1 failed, 2 invalid arguments, 3 not signed in, 4 panel unreachable, 130 interrupted.
PANEL_URL and PANEL_TOKEN in the environment override the stored login.`

type Action = (command: Command, args: string[], options: Record<string, string | boolean | undefined>) => Promise<void>

/** The parser of the table of commands: help, errors and completion come from it. */
export function createProgram(
  commands: readonly Command[],
  { stdout, stderr }: Pick<Context, 'stdout' | 'stderr'>,
  action: Action
): CommanderCommand {
  const root = new CommanderCommand('panel')
  root
    .configureHelp({
      subcommandTerm: (each) => `${each.name()} ${each.commands.length > 0 ? '<command>' : argumentsOf(each)}`.trim()
    })
    .description('Deploy and manage projects on a hosting panel.')
    .usage('<command>')
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text)
    })
    .addHelpText('after', footer)
  for (const command of commands) addCommand(root, command, action)
  tab(root)
  return root
}

const argumentsOf = (command: CommanderCommand): string =>
  command.usage().replace(' [options]', '').replace('[options]', '')

function addCommand(root: CommanderCommand, command: Command, action: Action): void {
  const [first, second] = command.name.split(' ') as [string, string?]
  const parent = second === undefined ? root : groupOf(root, first)
  const made = parent
    .command(second ?? first)
    .description(command.about)
    .usage(`${command.args ?? ''} [options]`.trim())
    .argument('[args...]')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', `\nExample:\n  $ ${programName} ${command.example}`)
    .action((args: string[], options: Record<string, string | boolean | undefined>) => action(command, args, options))
  made.configureHelp({ ...made.configureHelp(), visibleArguments: () => [] })
  if (takesProject(command)) made.option('-p, --project <project>', 'name or id; default: the project of this folder')
  for (const [flags, about] of command.options ?? []) made.option(flags, about)
}

function groupOf(root: CommanderCommand, name: string): CommanderCommand {
  const found = root.commands.find((each) => each.name() === name)
  return found ?? root.command(name).description(groups[name]!).usage('<command>')
}

/** Requested help is a success; anything else is a wrong call. */
export const isHelp = (error: unknown): boolean => error instanceof CommanderError && error.exitCode === 0
export const isWrongCall = (error: unknown): boolean => error instanceof CommanderError
