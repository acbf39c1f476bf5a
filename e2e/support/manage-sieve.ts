import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { password } from '../mail/servers.harness.ts'

/** What the ManageSieve server responds, before TLS or after a login. */
export async function manageSieve(
  port: number,
  user: string | undefined,
  ...commands: readonly string[]
): Promise<string[]> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: '127.0.0.2' })
  const answer = async (on: NodeJS.ReadableStream): Promise<string> => {
    let text = ''
    for (;;) {
      const [chunk] = (await once(on, 'data')) as [Buffer]
      text += chunk
      const last = /^(OK|NO|BYE)\b.*(?:\{(\d+)\}\r\n[^]*)?\r\n$/m.exec(text)
      if (last) return text.replaceAll('\r\n', ' ')
    }
  }
  const greeting = await answer(socket)
  let talk: NodeJS.ReadWriteStream = socket
  const say = (command: string) => {
    talk.write(`${command}\r\n`)
    return answer(talk)
  }
  const message = user === undefined ? [greeting] : []
  if (user !== undefined) {
    await say('STARTTLS')
    talk = connectTls({ socket, rejectUnauthorized: false })
    await answer(talk)
    await say(authenticate(user))
  }
  for (const command of commands) message.push(await say(command))
  socket.destroy()
  return message
}

export const authenticate = (user: string): string =>
  `AUTHENTICATE "PLAIN" "${Buffer.from(`\0${user}\0${password}`).toString('base64')}"`

export const putting = (script: string): string => `PUTSCRIPT "mine" {${Buffer.byteLength(script)}+}\r\n${script}`
