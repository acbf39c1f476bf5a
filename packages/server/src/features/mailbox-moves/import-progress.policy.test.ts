import { expect, test } from 'vitest'
import type { CopyEvent } from '../../infra/mailbox-copier/mailbox-copier.ts'
import { type ImportProgress, progressOf } from './import-progress.policy.ts'

const none: ImportProgress = {
  foldersDone: 0,
  foldersTotal: null,
  messagesDone: 0,
  messagesTotal: null,
  bytesDone: 0,
  bytesTotal: null,
  leftOut: [],
  failures: 3,
  reason: 'The connection broke'
}
type Counted = Exclude<CopyEvent, { type: 'alive' }>
const after = (events: Counted[], from = none) =>
  events.reduce((now, event) => ({ ...now, ...progressOf(now, event, (reason) => `because ${reason}`) }), from)
const position = { path: 'INBOX', uidValidity: 1, lastUid: 2, target: 'INBOX', targetUidValidity: 3, targetUidNext: 4 }
const arrived = (messages: number, bytes: number): Counted => ({ type: 'position', position, messages, bytes })
const planned = (folders: number, messages: number, bytes: number): Counted => ({
  type: 'planned',
  folders,
  messages,
  bytes
})

test('copied messages count towards the total', () => {
  expect(after([planned(2, 10, 1_000), arrived(4, 400), { type: 'folder-done' }])).toMatchObject({
    foldersDone: 1,
    foldersTotal: 2,
    messagesDone: 4,
    messagesTotal: 10,
    bytesDone: 400,
    bytesTotal: 1_000,
    failures: 0,
    reason: null
  })
})

test('a resumed import recounts the rest and keeps what was copied', () => {
  expect(after([planned(2, 10, 1_000), arrived(4, 400), planned(2, 7, 700), arrived(7, 700)])).toMatchObject({
    foldersDone: 0,
    messagesDone: 11,
    messagesTotal: 11,
    bytesTotal: 1_100
  })
})

test('the total grows if more messages arrive', () => {
  expect(after([planned(1, 1, 10), arrived(3, 30)])).toMatchObject({
    messagesDone: 3,
    messagesTotal: 3,
    bytesTotal: 30
  })
})

test('a position without messages is not counted as progress', () => {
  expect(after([arrived(0, 0)])).toMatchObject({ failures: 3, messagesTotal: null })
})

test('skipped messages: one entry per folder and reason, at most a hundred', () => {
  const leftOut = (folder: string, messages: number): Counted => ({
    type: 'left-out',
    folder,
    reason: 'message-too-large',
    messages
  })
  expect(after([leftOut('A', 1), leftOut('A', 2), leftOut('B', 1)]).leftOut).toEqual([
    { folder: 'A', reason: 'because message-too-large', messages: 3 },
    { folder: 'B', reason: 'because message-too-large', messages: 1 }
  ])
  expect(after(Array.from({ length: 300 }, (_, at) => leftOut(`folder ${at}`, 1))).leftOut).toHaveLength(100)
})
