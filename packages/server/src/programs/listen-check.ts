import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../text/message-of.ts'
import { type ManagedProgram, ProgramError } from './managed-program.ts'

const freedWithinMs = 3_000
const pollMs = 50
const inUse = 'Address already in use'

/** Retries briefly, because threads of a killed process may hold sockets after it disappears. */
export async function checkAddresses({ name, addresses = [] }: ManagedProgram): Promise<void> {
  const deadline = Date.now() + freedWithinMs
  for (const { host, port } of addresses) {
    let problem = await listenProblem(host, port)
    for (; problem === inUse && Date.now() < deadline; problem = await listenProblem(host, port)) await sleep(pollMs)
    if (problem !== undefined)
      throw new ProgramError(`${name} cannot listen on ${host} port ${port}: ${problem}`, problem)
  }
}

export const isPortTaken = async (host: string, port: number): Promise<boolean> =>
  (await listenProblem(host, port)) === inUse

async function listenProblem(host: string, port: number): Promise<string | undefined> {
  const server = createServer()
  try {
    await once(server.listen({ host, port, exclusive: true }), 'listening')
    return undefined
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    return isTaken ? inUse : messageOf(error)
  } finally {
    server.close()
  }
}
