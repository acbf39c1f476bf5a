import { expect, test } from 'vitest'
import { createProgramStates, ProgramStartingError } from './program-states.ts'

const never = new AbortController().signal

test('an idle program is started once by all that use it at the same time, and they wait until it runs', async () => {
  const states = createProgramStates()
  let starts = 0
  states.setIdle('mysql', () => starts++)
  const uses = [states.use('mysql'), states.use('mysql')]
  expect([starts, states.of('mysql')]).toEqual([1, 'starting'])
  states.set('mysql', 'running')
  await Promise.all(uses)
  await states.use('mysql')
  expect(starts).toBe(1)
})

test('a use ends when the start fails, and is refused when it takes too long', async () => {
  const states = createProgramStates()
  states.setIdle('mysql', () => states.set('mysql', 'failed'))
  await states.use('mysql')
  states.setIdle('postgresql', () => {})
  await expect(states.use('postgresql', 1)).rejects.toBeInstanceOf(ProgramStartingError)
  const waiting = states.use('postgresql')
  states.set('postgresql', 'running')
  await waiting
})

test('a program that is not idle is not waited for', async () => {
  const states = createProgramStates(['nameServer'])
  await states.use('nameServer')
  await states.use('mysql')
  expect(states.of('mysql')).toBeUndefined()
})

test('settled waits for every program that is starting, whatever becomes of it', async () => {
  const states = createProgramStates(['nameServer', 'mysql', 'reverseProxy'])
  const events: string[] = []
  states.onChange((name, state) => events.push(`${name} ${state}`))
  const settled = states.settled(never).then(() => events.push('settled'))
  states.set('nameServer', 'running')
  states.setIdle('mysql', () => {})
  states.set('reverseProxy', 'failed')
  await settled
  expect(events).toEqual(['nameServer running', 'mysql idle', 'reverseProxy failed', 'settled'])
})

test('settled ends when the panel is stopped', async () => {
  const stopping = new AbortController()
  const settled = createProgramStates(['nameServer']).settled(stopping.signal)
  stopping.abort()
  await settled
})
