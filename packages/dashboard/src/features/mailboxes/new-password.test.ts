import { expect, test } from 'vitest'
import { newPassword } from './new-password.ts'

test('passwords are unique and have 20 characters in groups', () => {
  const some = Array.from({ length: 100 }, newPassword)
  expect(new Set(some).size).toBe(100)
  for (const password of some) expect(password).toMatch(/^[a-km-np-z2-9]{5}(-[a-km-np-z2-9]{5}){3}$/)
})
