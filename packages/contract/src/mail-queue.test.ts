import { describe, expect, test } from 'vitest'
import { isQueueId, MailQueueQuery } from './mail-queue.ts'

describe('an id', () => {
  test.each(['4jWdh75MSBzLxKl', '4jXt4H12ntzW8v6', 'AB35826644F', '0123456789AB'])('%s', (id) => {
    expect(isQueueId(id)).toBe(true)
  })

  test.each([
    'ALL',
    'all',
    '-',
    '',
    '-d',
    '--',
    '../etc',
    '../AB35826644F',
    'AB35826644F\n',
    '\nAB35826644F',
    'AB358 26644F',
    'AB35826644F;id',
    'abc',
    '4jWdh75MSBz',
    '4jWdh75MSBzLxKl/',
    '4jWdh75MSBzz'.repeat(9)
  ])('not %j', (id) => {
    expect(isQueueId(id)).toBe(false)
  })
})

test.each([
  ['10', '100', true],
  ['1000', '1', true],
  ['11', '100', false],
  ['1000000', '1', false]
])('page %s of %s messages: %s', (page, limit, isListed) => {
  expect(MailQueueQuery.safeParse({ page, limit }).success).toBe(isListed)
})
