import { connect, type NetConnectOpts, type Socket } from 'node:net'

/** More than any greeting has; who says more is not one of ours. */
const maxBytes = 16_384

/**
 * Says things to a server in turn, and waits after each for text that looks like this. Resolves with all it has said; rejects when it does not
 * in time, or hangs up.
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
    const timer = setTimeout(() => end(new Error('no answer in time')), timeoutMs)
    const say = () => {
      const turn = turns[answers.length]
      if (turn === undefined) return end()
      if (turn.say !== undefined) socket.write(turn.say)
    }
    socket.setEncoding('latin1')
    socket.once('connect', say)
    socket.once('error', end)
    socket.once('close', () => end(new Error('it hung up')))
    socket.on('data', (text: string) => {
      heard += text
      if (heard.length > maxBytes) return end(new Error('it says too much'))
      if (!turns[answers.length]!.until.test(heard)) return
      answers.push(heard)
      heard = ''
      say()
    })
  })
}
