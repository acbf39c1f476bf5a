import { lstat, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { AdapterError } from '../adapter-error.ts'
import { messageOf } from '../../text/message-of.ts'
import type { Run } from '../process/process.ts'
import { programPath } from '../process/program-path.ts'
import { run } from '../process/run.ts'
import type { HostContext } from './host-context.ts'
import { directoryProblem } from './owned-path.ts'
import type { Answer } from './sudo.ts'
import { isVerb, runVerb } from './verbs.ts'

const Path = z.string().regex(/^\/[A-Za-z0-9._/-]+$/)
const HelperConfig = z.strictObject({
  projectsDirectory: Path,
  group: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/),
  keysDirectory: Path,
  sshDirectory: Path.default('/etc/ssh')
})

/** Sets PATH, because without secure_path in sudoers it would be the caller's. */
const runAsRoot: Run = (argv, options) => run(argv, { ...options, env: { PATH: programPath, ...options.env } })

// The program that sudo runs as root for a non-root panel. Its one argument is fixed in sudoers; the caller controls
// standard input, which contains the verb and its arguments.
async function main(configPath: string): Promise<z.infer<typeof Answer>> {
  const context = { ...(await readConfig(configPath)), run: runAsRoot }
  const problem = await directoryProblem(context.projectsDirectory, { parents: true })
  if (problem !== undefined)
    throw new AdapterError('project-directories-unavailable', 'Project files are unavailable', {
      reason: problem
    })
  const { verb, args } = z
    .strictObject({ verb: z.string(), args: z.json() })
    .parse(JSON.parse(await text(process.stdin)))
  if (!isVerb(verb)) throw new AdapterError('project-directories-unavailable', 'Unknown verb')
  return { result: z.json().parse((await runVerb(context, verb, args)) ?? null) }
}

async function readConfig(path: string): Promise<Omit<HostContext, 'run'>> {
  const problem = await directoryProblem(dirname(path), { parents: true })
  if (problem !== undefined) throw new Error(problem)
  const file = await lstat(path)
  if (!file.isFile() || file.uid !== 0 || (file.mode & 0o022) !== 0)
    throw new Error(`${path} must be owned by root and not writable by others`)
  return HelperConfig.parse(JSON.parse(await readFile(path, 'utf8')))
}

const answer = await main(process.argv[2] ?? '').catch((error: unknown): z.infer<typeof Answer> => {
  if (
    error instanceof AdapterError &&
    (error.kind === 'project-directories-unavailable' || error.kind === 'sftp-unavailable')
  )
    return { kind: error.kind, sentence: error.sentence, reason: error.explanation, remedy: error.remedy }
  process.stderr.write(`${messageOf(error)}\n`)
  process.exit(1)
})
process.stdout.write(JSON.stringify(answer))
