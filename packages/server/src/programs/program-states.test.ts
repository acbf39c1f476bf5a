import { expect, test } from 'vitest'
import { createProgramStates, ProgramStartingError } from './program-states.ts'

const never = new AbortController().signal

test('concurrent uses start an idle program once and wait until it runs', async () => {
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

test('a use resolves when the start fails and rejects when it takes too long', async () => {
  const states = createProgramStates()
  states.setIdle('mysql', () => states.set('mysql', 'failed'))
  await states.use('mysql')
  states.setIdle('postgresql', () => {})
  await expect(states.use('postgresql', 1)).rejects.toBeInstanceOf(ProgramStartingError)
  const waiting = states.use('postgresql')
  states.set('postgresql', 'running')
  await waiting
})

test('a program that is not idle does not delay', async () => {
  const states = createProgramStates(['nameServer'])
  await states.use('nameServer')
  await states.use('mysql')
  expect(states.of('mysql')).toBeUndefined()
})

test('settled waits for every starting program, also if it fails', async () => {
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

test('settled resolves when the panel stops', async () => {
  const stopping = new AbortController()
  const settled = createProgramStates(['nameServer']).settled(stopping.signal)
  stopping.abort()
  await settled
})
