import { connect, type NetConnectOpts, type Socket } from 'node:net'

/** Our servers send far less. */
const maxBytes = 16_384

/**
 * Sends each text and waits for a response that matches `until`. Resolves with the responses; rejects on timeout or if
 * the server closes the connection.
 */
export function converse(
  at: NetConnectOpts,
  timeoutMs: number,
  turns: readonly { say?: string | Buffer; until: RegExp }[]
): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect(at)
    const answers: string[] = []
    let heard = ''
    const end = (error?: Error) => {
      clearTimeout(timer)
      socket.destroy()
      if (error) reject(error)
      else resolve(answers)
    }
    const timer = setTimeout(() => end(new Error('timed out')), timeoutMs)
    const say = () => {
      const turn = turns[answers.length]
      if (turn === undefined) return end()
      if (turn.say !== undefined) socket.write(turn.say)
    }
    socket.setEncoding('latin1')
    socket.once('connect', say)
    socket.once('error', end)
    socket.once('close', () => end(new Error('connection closed')))
    socket.on('data', (text: string) => {
      heard += text
      if (heard.length > maxBytes) return end(new Error('response too long'))
      if (!turns[answers.length]!.until.test(heard)) return
      answers.push(heard)
      heard = ''
      say()
    })
  })
}
