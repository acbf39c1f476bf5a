import { once } from 'node:events'
import { chmod, chown, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Run } from '../process/process.ts'
import { makeOwned } from './mail-directories.ts'
import { mailGid } from './mail-paths.ts'
import { findMailUser } from './mail-users.ts'
import { createConversation, type PolicyAnswer, type SendingPolicy } from './sending-request.ts'

interface Answering {
  /** Called per connection; returns the handler of its requests. Undefined: no decision needed. */
  converse: () => (text: string) => (() => PolicyAnswer) | undefined
  onError: (error: unknown) => void
}

const maxRequestBytes = 16_384
const maxConnections = 500

/** Postfix policy server (SMTPD_POLICY_README). Fails open: mail is accepted without a valid response. */
export async function serveSendingPolicy(
  path: string,
  { policy, onError, run }: { policy: SendingPolicy; onError: (error: unknown) => void; run: Run }
): Promise<{ close(): Promise<void> }> {
  const { gid } = await findMailUser('postfix', run)
  return serve(path, gid, { converse: () => createConversation(policy), onError })
}

export interface Reply {
  mailbox: string
  /** Address in From; empty if it is missing, ambiguous or not the only one. */
  sender: string
}

/** Same protocol for mail delivery: whether a mailbox may send a response with that sender (dovecot-send.render.ts). */
export const serveReplyPolicy = (
  path: string,
  { mayReply, onError }: { mayReply: (reply: Reply) => Promise<boolean>; onError: (error: unknown) => void }
): Promise<{ close(): Promise<void> }> =>
  serve(path, mailGid, {
    converse: () => (text) => {
      const [, mailbox, sender] = /^mailbox=(\S+)\nsender=(\S*)$/.exec(text) ?? []
      if (mailbox === undefined || sender === undefined) return undefined
      return async () => ((await mayReply({ mailbox, sender })) ? undefined : 'DISCARD')
    },
    onError
  })

async function serve(path: string, gid: number, answering: Answering): Promise<{ close(): Promise<void> }> {
  await makeOwned(dirname(path), { uid: 0, gid }, 0o750)
  await rm(path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    answer(socket, answering)
  })
  server.maxConnections = maxConnections
  server.on('error', answering.onError)
  await once(server.listen(path), 'listening')
  await chown(path, 0, gid)
  await chmod(path, 0o660)
  return {
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await rm(path, { force: true })
    }
  }
}

function answer(socket: Socket, { converse, onError }: Answering): void {
  let heard = ''
  let last: Promise<unknown> = Promise.resolve()
  const hear = converse()
  socket.setEncoding('utf8')
  socket.on('error', () => {}) // Postfix reconnects.
  socket.on('data', (text: string) => {
    heard += text
    for (let end = heard.indexOf('\n\n'); end >= 0; end = heard.indexOf('\n\n')) {
      const decide = hear(heard.slice(0, end))
      heard = heard.slice(end + 2)
      last = last
        .then(() => decide?.())
        .catch((error: unknown) => onError(error))
        .then((action) => socket.writable && socket.write(`action=${action ?? 'DUNNO'}\n\n`))
    }
    if (heard.length > maxRequestBytes) socket.destroy()
  })
}
