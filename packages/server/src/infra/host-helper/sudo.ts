import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type RemedyCode, remedyTexts } from '@panel/contract/remedy-texts'
import { AdapterError } from '../adapter-error.ts'
import { ProcessError, type Run } from '../process/process.ts'
import type { VerbName } from './verbs.ts'

/** Root's own file, named in the line of sudoers: {"projectsDirectory", "group", "keysDirectory"}. */
const defaultHelperConfig = '/etc/panel/host-helper.json'

// Removing the files of a large project takes the longest.
const timeoutMs = 11 * 60_000

/** What the program answers on standard output. */
export const Answer = z.union([
  z.strictObject({ result: z.json() }),
  z.strictObject({
    kind: z.enum(['project-directories-unavailable', 'sftp-unavailable']),
    sentence: z.string(),
    reason: z.string().optional(),
    remedy: z.enum(Object.keys(remedyTexts) as [RemedyCode, ...RemedyCode[]]).optional()
  })
])

/** Runs the verb in the helper's program as root. Rejects with what the helper says, or that there is none. */
export async function callHelper(
  run: Run,
  verb: VerbName,
  args: readonly unknown[],
  configPath: string = defaultHelperConfig
): Promise<unknown> {
  const program = fileURLToPath(new URL('./main.js', import.meta.url))
  const { stdout } = await run(['sudo', '-n', process.execPath, program, configPath], {
    timeoutMs,
    input: JSON.stringify({ verb, args }),
    maxOutputBytes: 16 * 1024 * 1024
  }).catch((error: unknown) => {
    if (!(error instanceof ProcessError)) throw error
    throw new AdapterError(
      verb.endsWith('Project') || verb.endsWith('Projects') ? 'project-directories-unavailable' : 'sftp-unavailable',
      'The panel is not root and may not run its helper',
      { cause: error, remedy: 'ALLOW_HELPER' }
    )
  })
  const answer = Answer.parse(JSON.parse(stdout))
  if ('kind' in answer) {
    const { kind, sentence, reason, remedy } = answer
    throw new AdapterError(kind, sentence, { reason, remedy })
  }
  return answer.result ?? undefined
}
