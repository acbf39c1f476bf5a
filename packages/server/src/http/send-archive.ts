import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { attachment } from './content-disposition.ts'
import { sendStream } from './send-stream.ts'

interface SendableArchive {
  name: string
  stream: Readable
}

export type SendArchive = (archive: SendableArchive) => Promise<void>

export async function sendArchive(reply: FastifyReply, { name, stream }: SendableArchive): Promise<void> {
  void reply.type('application/gzip').header('Content-Disposition', attachment(name))
  await sendStream(reply, stream)
}
