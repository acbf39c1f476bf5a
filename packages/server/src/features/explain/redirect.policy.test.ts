import { expect, test } from 'vitest'
import { nextPage, type NextPage } from './redirect.policy.ts'

test.each<[string, NextPage | undefined]>([
  ['/log-in?next=%2F', { kind: 'page', page: { protocol: 'http', path: '/log-in?next=%2F' } }],
  ['https://shop.example.com/', { kind: 'page', page: { protocol: 'https', path: '/' } }],
  ['https://www.example.com/a?secret=1', { kind: 'elsewhere', url: 'https://www.example.com/a' }],
  ['http://shop.example.com:8080/', { kind: 'elsewhere', url: 'http://shop.example.com:8080/' }],
  ['http://127.0.0.1/', { kind: 'elsewhere', url: 'http://127.0.0.1/' }],
  ['ftp://shop.example.com/', undefined],
  ['http://[', undefined]
])('%s', (location, expected) => {
  expect(nextPage('shop.example.com', { protocol: 'http', path: '/start' }, location)).toEqual(expected)
})
