import type pg from 'pg'
import { expect, test } from 'vitest'
import { createPlannedStatements, createStatementNames } from './planned-statements.ts'

test('a statement has a name of its own from the third time on', () => {
  const nameOf = createStatementNames()
  expect([1, 2, 3, 4].map(() => nameOf('select $1'))).toEqual([undefined, undefined, 'panel_0', 'panel_0'])
  expect([1, 2, 3].map(() => nameOf('select $1, $2'))).toEqual([undefined, undefined, 'panel_1'])
})

test('many that come once take no names, and are forgotten', () => {
  const nameOf = createStatementNames()
  const comeOnce = () => {
    for (let n = 0; n < 1_001; n++) nameOf(`select $1 -- ${n}`)
  }
  nameOf('select $1')
  nameOf('select $1')
  comeOnce()
  expect(nameOf('select $1')).toBeUndefined()
  comeOnce()
  expect([1, 2, 3].map(() => nameOf('select $2'))).toEqual([undefined, undefined, 'panel_0'])
})

test('a connection keeps 200 planned, and plans others each time', () => {
  const nameOf = createStatementNames()
  const names = Array.from({ length: 300 }, (_, n) => [1, 2, 3].map(() => nameOf(`select $${n}`)).at(-1))
  expect(new Set(names.slice(0, 200)).size).toBe(200)
  expect(names.slice(200).every((name) => name === undefined)).toBe(true)
  expect(nameOf('select $0')).toBe('panel_0')
})

test('only what has values is named, and what has a name keeps it', () => {
  const sent: unknown[] = []
  const client = { query: (...args: unknown[]) => sent.push(args) } as unknown as pg.PoolClient
  createPlannedStatements().planOnce(client)
  const send = (...args: unknown[]) => {
    for (let n = 0; n < 3; n++) (client.query as (...args: unknown[]) => unknown)(...args)
    return sent.at(-1)
  }
  expect(send('begin')).toEqual(['begin'])
  expect(send({ text: 'select 1; select 2' }, [])).toEqual([{ text: 'select 1; select 2' }, []])
  expect(send({ name: 'mine', text: 'select $1' }, [1])).toEqual([{ name: 'mine', text: 'select $1' }, [1]])
  expect(send({ text: 'select $1' }, [1])).toEqual([{ name: 'panel_0', text: 'select $1' }, [1]])
})
