/** The same pages stand for an ADMIN below Server, and for who has customers below these. */
export const areas = {
  users: { list: '/server/users', one: '/server/users/$userId' },
  customers: { list: '/customers', one: '/customers/$userId' }
} as const

export type Area = keyof typeof areas
