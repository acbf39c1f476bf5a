import type { Config } from '../../config.ts'
import { isSecretVariable } from '../../config/secret-values.ts'
import { type VariableName, variableNames } from '../../config.ts'
import { readIfExists } from '../../infra/disk/read-if-exists.ts'
import type { Run } from '../../infra/process/process.ts'
import { version } from '../../process/version.ts'
import { programsOf } from '../../programs/list.ts'
import { messageOf } from '../../text/message-of.ts'
import { toolPackages } from '../debian-packages.ts'

const timeoutMs = 15_000

/** Commands whose output is a file of the archive. */
const commands: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'machine/disk.txt': ['df', '--portability', '--human-readable', '--local'],
  'machine/inodes.txt': ['df', '--portability', '--inodes', '--local'],
  'machine/processes.txt': ['ps', '-eo', 'pid,ppid,user:20,stat,etime,rss,pcpu,comm', '--sort=-rss'],
  'machine/listening.txt': ['ss', '--listening', '--tcp', '--udp', '--numeric', '--processes'],
  'machine/addresses.txt': ['ip', '-brief', 'address'],
  'machine/kernel.txt': ['uname', '-srvm'],
  'machine/containers.txt': [
    'docker',
    'ps',
    '--all',
    '--size',
    '--format',
    '{{.ID}}\t{{.Image}}\t{{.Status}}\t{{.Size}}'
  ],
  'machine/images.txt': ['docker', 'images', '--format', '{{.Repository}}:{{.Tag}}\t{{.Size}}\t{{.CreatedSince}}']
}

const files: Readonly<Record<string, string>> = {
  'machine/memory.txt': '/proc/meminfo',
  'machine/load.txt': '/proc/loadavg',
  'machine/pressure.txt': '/proc/pressure/memory',
  'machine/system.txt': '/etc/os-release'
}

/** By file name: versions, settings without secrets, and the state of the machine. */
export async function readMachineFacts(config: Config, run: Run): Promise<Record<string, string>> {
  const output = (argv: readonly [string, ...string[]]) =>
    run(argv, { timeoutMs, env: { LC_ALL: 'C.UTF-8' } }).then(
      ({ stdout }) => stdout,
      (error: unknown) => `${messageOf(error)}\n`
    )
  const packages = [...new Set([...toolPackages, ...programsOf(config).flatMap((program) => program.packages)])]
  const read = [
    ...Object.entries(commands).map(async ([name, argv]) => [name, await output(argv)] as const),
    ...Object.entries(files).map(async ([name, path]) => [name, (await readIfExists(path)) ?? ''] as const),
    output(['dpkg-query', '-W', '-f', '${Package}\t${Version}\t${db:Status-Abbrev}\n', '--', ...packages]).then(
      (text) => ['versions/packages.txt', text] as const
    )
  ]
  return {
    'versions/panel.json': JSON.stringify({ panel: version, node: process.version, arch: process.arch }, null, 1),
    'settings.json': JSON.stringify(settingsOf(config), null, 1),
    ...Object.fromEntries(await Promise.all(read))
  }
}

const settingsOf = (config: Config): object =>
  Object.fromEntries(
    variableNames
      .filter((name) => config[name] !== undefined)
      .map((name) => [name, { value: shown(name, config[name]), from: config.sources[name] ?? 'default' }])
  )

const shown = (name: VariableName, value: unknown): unknown => (isSecretVariable(name) ? '[set]' : value)
