import { AdapterError } from '../adapter-error.ts'
import { ProcessError, type Run } from '../process/process.ts'

/** What doveadm(1) ends with where a user is not there or has no sessions (sysexits.h). */
const noUser = [67, 68]

/** Asks Dovecot by its own tool. Resolves with undefined where it knows nobody of the name. */
export async function doveadm(
  { config, run, timeoutMs }: { config: string; run: Run; timeoutMs: number },
  args: readonly string[]
): Promise<string | undefined> {
  try {
    const { stdout } = await run(['doveadm', '-c', config, ...args], {
      timeoutMs,
      maxOutputBytes: 16 * 2 ** 20
    })
    return stdout
  } catch (cause) {
    if (cause instanceof ProcessError && noUser.includes(cause.exitCode ?? 0)) return undefined
    const reason = cause instanceof ProcessError ? `${cause.message} ${cause.stderr.trim().slice(-500)}` : undefined
    throw new AdapterError(
      'mail-server-unavailable',
      'The IMAP server does not answer or does not do what it is told',
      {
        cause,
        ...(reason === undefined ? {} : { reason })
      }
    )
  }
}
