import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type RemedyCode, remedyTexts } from '@panel/contract/remedy-texts'
import { AdapterError } from '../adapter-error.ts'
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
      'The panel is not root and is not allowed to run its helper',
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
