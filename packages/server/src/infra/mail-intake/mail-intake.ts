import { once } from 'node:events'
import { chmod, chown, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { SMTPServer, SMTPServerDataStream } from 'smtp-server'
import { makeOwned } from '../mail-server/mail-directories.ts'
import { findMailUser } from '../mail-server/mail-users.ts'
import type { Run } from '../process/process.ts'

export interface IntakePolicy {
  /** Whether the address exists and accepts a message now. Addresses are lower case. */
  isWanted(recipient: string, sender: string): Promise<boolean>
  /** Resolves once the message is handled, whatever its content; rejects to have it retried later. */
  take(recipient: string, message: Buffer, sender: string): Promise<void>
}

export interface MailIntakeOptions {
  policy: IntakePolicy
  maxBytes: number
  onError: (error: unknown) => void
  run: Run
}

/** Postfix opens two connections at a time (master.cf). */
const maxClients = 8
const idleMs = 60_000

/** LMTP server. Stores nothing: until it confirms, Postfix keeps the message in its queue and retries. */
export async function serveMailIntake(path: string, options: MailIntakeOptions): Promise<{ close(): Promise<void> }> {
  const { gid } = await findMailUser('postfix', options.run)
  await makeOwned(dirname(path), { uid: 0, gid }, 0o750)
  await rm(path, { force: true })
  const server = await createIntake(options)
  await once(server.listen(path), 'listening')
  await chown(path, 0, gid)
  await chmod(path, 0o660)
  return {
    async close() {
      await new Promise<void>((resolve) => server.close(resolve))
      await rm(path, { force: true })
    }
  }
}

async function createIntake({ policy, maxBytes, onError }: MailIntakeOptions): Promise<SMTPServer> {
  const { SMTPServer } = await import('smtp-server')
  const server = new SMTPServer({
    lmtp: true,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: maxBytes,
    maxClients,
    socketTimeout: idleMs,
    closeTimeout: 1_000,
    logger: false,
    onRcptTo({ address }, session, answer) {
      // One at a time (intake_destination_recipient_limit): the policy may accept one and reject another.
      if (session.envelope.rcptTo.length > 0) return answer(refusal(452, 'One recipient at a time'))
      const { mailFrom } = session.envelope
      policy.isWanted(address.toLowerCase(), mailFrom === false ? '' : mailFrom.address).then(
        (isWanted) => answer(isWanted ? null : refusal(550, 'This address does not accept mail')),
        (error: unknown) => {
          onError(error)
          answer(refusal(451, 'Try again later'))
        }
      )
    },
    onData(stream, session, answer) {
      const { mailFrom, rcptTo } = session.envelope
      const recipient = rcptTo[0]!.address.toLowerCase()
      read(stream, maxBytes)
        .then(async (message) => {
          if (message === undefined) return answer(refusal(552, 'Message too large'))
          await policy.take(recipient, message, mailFrom === false ? '' : mailFrom.address)
          answer(null, 'taken')
        })
        .catch((error: unknown) => {
          onError(error)
          answer(refusal(451, 'Try again later'))
        })
    }
  })
  server.on('error', onError)
  return server
}

const refusal = (responseCode: number, text: string): Error => Object.assign(new Error(text), { responseCode })

/** Undefined if it is too large. Always reads to the end: Postfix reads the response only after that. */
async function read(stream: SMTPServerDataStream, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  return bytes > maxBytes || stream.sizeExceeded ? undefined : Buffer.concat(chunks)
}
