import type { ChildProcess } from 'node:child_process'
import { Duplex } from 'node:stream'
import { killGroup } from './start-child.ts'

/** The standard streams of a program as one stream; destroying it ends the program. */
export function childStream(start: () => Promise<ChildProcess>): Duplex {
  let child: ChildProcess | undefined
  const stream: Duplex = new Duplex({
    construct(done) {
      start().then((started) => {
        child = started
        started.stdout!.on('data', (chunk: Buffer) => {
          if (!stream.push(chunk)) started.stdout!.pause()
        })
        started.stdout!.once('end', () => stream.push(null))
        started.stdin!.on('error', (error) => stream.destroy(error))
        done()
      }, done)
    },
    read: () => void child!.stdout!.resume(),
    write: (chunk: Buffer, _encoding, done) => void child!.stdin!.write(chunk, done),
    final: (done) => void child!.stdin!.end(done),
    destroy(error, done) {
      if (child) killGroup(child)
      done(error)
    }
  })
  return stream
}
