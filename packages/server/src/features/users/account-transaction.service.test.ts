import { expect, test } from 'vitest'
import type { Database } from '../../db/database.ts'
import { accountTransaction } from './account-transaction.service.ts'

function countingStore() {
  let open = 0
  const store = {
    most: 0,
    async transaction(work: (trx: unknown) => Promise<unknown>) {
      store.most = Math.max(store.most, ++open)
      try {
        return await work({})
      } finally {
        open--
      }
    }
  }
  return store
}

const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

test('runs one transaction per account at a time, in call order', async () => {
  const store = countingStore()
  const order: number[] = []
  const calls = Array.from({ length: 20 }, (_, number) =>
    accountTransaction(store as unknown as Database, 'ann', async () => {
      await soon()
      order.push(number)
    })
  )
  await Promise.all(calls)
  expect(store.most).toBe(1)
  expect(order).toEqual([...order].sort((a, b) => a - b))
})

test('limits concurrent transactions, and a failing one does not block others', async () => {
  const store = countingStore()
  const outcomes = await Promise.allSettled(
    Array.from({ length: 30 }, (_, number) =>
      accountTransaction(store as unknown as Database, `account ${number}`, async () => {
        await soon()
        if (number % 3 === 0) throw new Error('refused')
      })
    )
  )
  expect(store.most).toBe(5)
  expect(outcomes.filter((outcome) => outcome.status === 'rejected')).toHaveLength(10)
})
