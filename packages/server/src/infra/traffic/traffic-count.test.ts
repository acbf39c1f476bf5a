import { expect, test } from 'vitest'
import { createTrafficCount } from './traffic-count.ts'

test('lines are summed per site, also when split', () => {
  const count = createTrafficCount()
  const [read, other] = [count.openReader(), count.openReader()]
  read('shop 200 100 2000 50 4 -\nshop 404 1')
  other('blog 503 10 20 1024 -1 -\n')
  read('00 300 9 4 -\n')
  expect(count.take()).toEqual({
    sites: [
      {
        site: 'shop',
        requests: 2,
        clientErrors: 1,
        serverErrors: 0,
        bytesIn: 200,
        bytesOut: 2300,
        milliseconds: 8,
        times: [8, 2]
      },
      {
        site: 'blog',
        requests: 1,
        clientErrors: 0,
        serverErrors: 1,
        bytesIn: 10,
        bytesOut: 20,
        milliseconds: 1024,
        times: [40, 1]
      }
    ],
    lost: 0
  })
  expect(count.take()).toEqual({ sites: [], lost: 0 })
})

test('invalid lines are ignored', () => {
  const count = createTrafficCount()
  const read = count.openReader()
  for (const line of [
    '- 400 0 0 0 -1 -',
    '',
    'shop 200 1 2 3 -',
    'shop 200 1 2 3 4',
    'shop 200 1 2 3 4 login=a b',
    'shop 200 1 2 3 4 other=1.2.3.4',
    'shop 200 1 2 3 4 5 -',
    'shop 200 1 2 3 1e9 -',
    ' shop 200 1 2 3 4 -',
    'a b 200 1 2 3 4 -',
    `${'x'.repeat(65)} 200 1 2 3 4 -`,
    'shop 200 -1 2 3 4 -'
  ])
    read(`${line}\n`)
  expect(count.take().sites).toEqual([])
})

test('memory is bounded for endless lines and too many sites', () => {
  const count = createTrafficCount({ maxSites: 2 })
  const read = count.openReader()
  for (let i = 0; i < 100; i++) read('x'.repeat(10_000))
  read('\n')
  for (const site of ['a', 'b', 'c', 'a']) read(`${site} 200 1 2 3 4 -\n`)
  read('7 events dropped\n')
  const { sites, lost } = count.take()
  expect(sites.map(({ site, requests }) => [site, requests])).toEqual([
    ['a', 2],
    ['b', 1]
  ])
  expect(lost).toBe(8)
})

test('sign-ins to WordPress are counted by client, except successful ones', () => {
  const count = createTrafficCount({ maxClients: 2 })
  const read = count.openReader()
  for (const line of [
    '200 1 2 3 4 login=203.0.113.7',
    '302 1 2 3 4 login=203.0.113.7',
    '503 1 2 3 4 login=203.0.113.7',
    '403 1 2 3 4 login=203.0.113.7',
    '200 1 2 3 4 xmlrpc=203.0.113.7',
    '200 1 2 3 4 xmlrpc=2001:db8::7',
    '200 1 2 3 4 login=203.0.113.8'
  ])
    read(`shop ${line}\n`)
  expect(count.takeLogIns()).toEqual([
    { address: '203.0.113.7', failed: 2, xmlrpc: 1 },
    { address: '2001:db8::7', failed: 0, xmlrpc: 1 }
  ])
  expect(count.takeLogIns()).toEqual([])
  expect(count.take().sites).toMatchObject([{ site: 'shop', requests: 7 }])
})
