import { connect } from 'node:net'

type Greeting = { kind: 'ssh'; banner: string } | { kind: 'other' } | { kind: 'refused' } | { kind: 'silent' }

// RFC 4253 §4.2 limits the identification string to 255 characters.
const maxBytes = 1024

export function readGreeting(address: { host: string; port: number }, timeoutMs: number): Promise<Greeting> {
  return new Promise((resolve) => {
    const socket = connect(address)
    let text = ''
    const end = (greeting: Greeting) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(greeting)
    }
    const timer = setTimeout(() => end({ kind: 'silent' }), timeoutMs)
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      const banner = /^SSH-2\.0-(.*?)\r?\n/m.exec(text)?.[1]
      if (banner !== undefined) end({ kind: 'ssh', banner })
      else if (text.length > maxBytes) end({ kind: 'other' })
    })
    socket.once('end', () => end({ kind: 'other' }))
    socket.once('error', (error: NodeJS.ErrnoException) =>
      end({ kind: error.code === 'ECONNREFUSED' ? 'refused' : 'other' })
    )
  })
}
