import { describe, expect, test } from 'vitest'
import type { BlocklistCheck } from '@panel/contract/mail-auth'
import type { Lookup } from '../../infra/public-dns/public-dns.ts'
import { type BlocklistAnswers, blocklistQuestions, checkBlocklist } from './blocklist-answer.policy.ts'
import { blocklistsOf } from './blocklists.policy.ts'

const list = blocklistsOf(['list.test'])[0]!
const says = (...values: string[]): Lookup => ({ resolver: '192.0.2.1', values, error: null, latencyMs: 1 })
const fails = (error: string): Lookup => ({ resolver: '192.0.2.2', values: [], error, latencyMs: 1 })
const none = fails('NXDOMAIN')
const check = (answers: Partial<BlocklistAnswers>) =>
  checkBlocklist(list, { listed: [none], positive: [says('127.0.0.2')], negative: [none], reasons: [], ...answers })

test('DNS queries', () => {
  expect(blocklistQuestions('198.51.100.7', 'list.test')).toEqual({
    listed: '7.100.51.198.list.test',
    positive: '2.0.0.127.list.test',
    negative: '1.0.0.127.list.test'
  })
})

test.each<[string, Partial<BlocklistAnswers>, BlocklistCheck['status']]>([
  ['not listed', {}, 'clear'],
  ['listed', { listed: [says('127.0.0.4')] }, 'listed'],
  ['a code that is not of 127.0.0', { listed: [says('127.0.1.2')] }, 'listed'],
  ['the resolver is refused', { listed: [says('127.255.255.254')], positive: [says('127.255.255.254')] }, 'refused'],
  ['too many questions', { listed: [says('127.255.255.255')] }, 'refused'],
  ['the resolver is refused for its tests alone', { positive: [says('127.255.255.254')] }, 'refused'],
  ['the list answers REFUSED', { listed: [fails('REFUSED')], positive: [fails('REFUSED')] }, 'refused'],
  ['nobody answers', { listed: [fails('TIMEOUT')], positive: [fails('TIMEOUT')] }, 'unknown'],
  ['a list that says of nothing that it is listed', { positive: [none] }, 'unknown'],
  ['a list that is given up and lists all', { listed: [says('127.0.0.2')], negative: [says('127.0.0.2')] }, 'unknown'],
  [
    'a zone that is a web site now',
    { listed: [says('203.0.113.5')], negative: [says('203.0.113.5')], positive: [says('203.0.113.5')] },
    'unknown'
  ],
  [
    'refused to one resolver, and another sees it listed',
    {
      listed: [says('127.255.255.254'), says('127.0.0.3')],
      positive: [says('127.255.255.254'), says('127.0.0.2')],
      negative: [says('127.255.255.254'), none]
    },
    'listed'
  ],
  [
    'refused to one resolver, and another sees nothing',
    {
      listed: [says('127.255.255.254'), none],
      positive: [says('127.255.255.254'), says('127.0.0.2')],
      negative: [says('127.255.255.254'), none]
    },
    'clear'
  ],
  ['nobody was asked', { listed: [], positive: [], negative: [] }, 'unknown']
])('%s', (_, answers, status) => expect(check(answers).status).toBe(status))

describe('results', () => {
  test('the codes and the reason, on one line', () => {
    const { detail } = check({
      listed: [says('127.0.0.4'), says('127.0.0.4')],
      reasons: [says('see\r\nhttps://list.test/?q=1')]
    })
    expect(detail).toBe('Listed (127.0.0.4): see https://list.test/?q=1')
  })
  test('a reason without end is cut', () =>
    expect(check({ listed: [says('127.0.0.4')], reasons: [says('x'.repeat(60_000))] }).detail.length).toBeLessThan(400))
  test('what to do where it is refused', () =>
    expect(check({ listed: [says('127.255.255.254')] }).detail).toMatch(
      /add a resolver of your own in Settings → DNS$/
    ))
})

test('a known list has its website and IPv6 support; an unknown one is queried for both address families', () => {
  expect(blocklistsOf(['bl.spamcop.net', 'own.test'])).toEqual([
    { zone: 'bl.spamcop.net', hasIpv6: false, website: 'https://www.spamcop.net/bl.shtml' },
    { zone: 'own.test', hasIpv6: true, website: null }
  ])
})
