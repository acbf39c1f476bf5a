import { AdapterError } from '../adapter-error.ts'
import { ProcessError, type Run } from '../process/process.ts'

/** Exit codes of doveadm(1) for an unknown user or one without sessions (sysexits.h). */
const noUser = [67, 68]

/** Runs doveadm. Resolves with undefined if Dovecot does not know the user. */
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
    throw new AdapterError('mail-server-unavailable', 'The IMAP server (Dovecot) is not responding', {
      cause,
      ...(reason === undefined ? {} : { reason })
    })
  }
}
