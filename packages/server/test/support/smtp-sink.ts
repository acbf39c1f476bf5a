import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

export interface ReceivedMail {
  from: string
  to: string[]
  data: string
}

export interface SmtpSink {
  url: string
  received: ReceivedMail[]
  /** Refuses recipients while true. */
  refuse: boolean
  /** Reply to refused recipients; temporary by default. */
  refusal: string
  refused: number
  close(): Promise<void>
}

/** A minimal SMTP server (RFC 5321) on loopback that keeps messages. */
export async function startSmtpSink(host = '127.0.0.1', port = 0): Promise<SmtpSink> {
  const received: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(socket, sink)
  })
  server.listen(port, host)
  await once(server, 'listening')
  const sink: SmtpSink = {
    url: `smtp://${host}:${(server.address() as AddressInfo).port}`,
    received,
    refuse: false,
    refusal: '451 try later',
    refused: 0,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    }
  }
  return sink
}

function serve(socket: Socket, sink: SmtpSink): void {
  let pending = ''
  let mail: ReceivedMail = { from: '', to: [], data: '' }
  let isData = false
  const answer = (text: string) => socket.write(`${text}\r\n`)
  const command = (line: string) => {
    const argument = /<([^>]*)>/.exec(line)?.[1] ?? ''
    if (/^(EHLO|HELO)/i.test(line)) return answer('250 sink')
    if (/^MAIL FROM/i.test(line)) {
      mail = { from: argument, to: [], data: '' }
      return answer('250 ok')
    }
    if (/^RCPT TO/i.test(line)) {
      if (sink.refuse) {
        sink.refused++
        return answer(sink.refusal)
      }
      mail.to.push(argument)
      return answer('250 ok')
    }
    if (/^DATA/i.test(line)) {
      isData = true
      return answer('354 go on')
    }
    if (/^QUIT/i.test(line)) return socket.end('221 bye\r\n')
    return answer('250 ok')
  }
  socket.on('error', () => {})
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    pending += chunk
    for (let end = pending.indexOf('\r\n'); end !== -1; end = pending.indexOf('\r\n')) {
      const line = pending.slice(0, end)
      pending = pending.slice(end + 2)
      if (!isData) command(line)
      else if (line !== '.') mail.data += `${line.replace(/^\./, '')}\n`
      else {
        isData = false
        sink.received.push(mail)
        answer('250 taken')
      }
    }
  })
  answer('220 sink')
}
