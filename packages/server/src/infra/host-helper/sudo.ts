import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type RemedyCode, remedyTexts } from '@panel/contract/remedy-texts'
import { AdapterError } from '../adapter-error.ts'
import type { RunThere } from '../node-connection/node-connection.ts'
import { ProcessError, type Run } from '../process/process.ts'
import type { VerbName } from './verbs.ts'

/** Owned by root and named in sudoers: {"projectsDirectory", "group", "keysDirectory"}. */
const defaultHelperConfig = '/etc/panel/host-helper.json'

const timeoutMs = 11 * 60_000

export const Answer = z.union([
  z.strictObject({ result: z.json() }),
  z.strictObject({
    kind: z.enum(['project-directories-unavailable', 'sftp-unavailable']),
    sentence: z.string(),
    reason: z.string().optional(),
    remedy: z.enum(Object.keys(remedyTexts) as [RemedyCode, ...RemedyCode[]]).optional()
  })
])

/** The program that runs the verbs as root. On another machine it is at the same place: same package, same version. */
export const helperProgram = (configPath: string): [string, string, string] => [
  process.execPath,
  fileURLToPath(new URL('./main.js', import.meta.url)),
  configPath
]

export async function callHelper(
  run: Run,
  verb: VerbName,
  args: readonly unknown[],
  configPath: string = defaultHelperConfig
): Promise<unknown> {
  return askHelper(run, ['sudo', '-n', ...helperProgram(configPath)], verb, args).catch((error: unknown) => {
    if (!(error instanceof ProcessError)) throw error
    throw new AdapterError(
      verb.endsWith('Project') || verb.endsWith('Projects') ? 'project-directories-unavailable' : 'sftp-unavailable',
      'The panel is not root and is not allowed to run its helper',
      { cause: error, remedy: 'ALLOW_HELPER' }
    )
  })
}

/** Verb and arguments go through standard input, as does the password of `setPassword`. */
export async function askHelper(
  run: RunThere,
  argv: Parameters<Run>[0],
  verb: VerbName,
  args: readonly unknown[]
): Promise<unknown> {
  const input = JSON.stringify({ verb, args })
  const { stdout } = await run(argv, { timeoutMs, input, maxOutputBytes: 16 * 1024 * 1024 })
  const answer = Answer.parse(JSON.parse(stdout))
  if ('kind' in answer) {
    const { kind, sentence, reason, remedy } = answer
    throw new AdapterError(kind, sentence, { reason, remedy })
  }
  return answer.result ?? undefined
}
