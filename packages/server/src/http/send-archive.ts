import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { attachment } from './content-disposition.ts'
import { sendStream } from './send-stream.ts'

/** A tar.gz that is packed while it is sent. */
interface SendableArchive {
  /** Of the file that the client gets. */
  name: string
  stream: Readable
}

/** Sends an archive and resolves when it is done with it. */
export type SendArchive = (archive: SendableArchive) => Promise<void>

export async function sendArchive(reply: FastifyReply, { name, stream }: SendableArchive): Promise<void> {
  void reply.type('application/gzip').header('Content-Disposition', attachment(name))
  await sendStream(reply, stream)
}
