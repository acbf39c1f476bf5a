/** Administrators reach the account pages under Server, resellers under Customers. */
export const areas = {
  users: { list: '/server/users', one: '/server/users/$userId' },
  customers: { list: '/customers', one: '/customers/$userId' }
} as const

export type Area = keyof typeof areas
