/**
 * The connections of one process to the store. Every pool has its size from here, and STORE_CONNECTIONS is the sum: what the fixed ones
 * leave is for requests.
 */
export const connectionBudget = {
  /**
   * How many locks of a kind (lock.ts) this process has or waits for at once, as each takes a connection: the rest waits before it takes
   * one, within the time that it has for the lock. By kind, since work under a lock of one kind may need one of another.
   */
  locks: {
    // What reads the store and gives the proxy what it says: one after the other, here as between processes.
    routes: 1,
    certificates: 1,
    // Two queues of orders, with as many workers (features/certificates): an order that finds no place counts as another worker's.
    'certificate-orders': 5,
    // The operations of both engines (features/databases), and a repair of one of them.
    database: 9,
    'project-database': 2,
    'sftp-account': 1,
    'project-directories': 1,
    // Four connections of new repositories (features/git), which a slow host may keep; builds fetch beside them, one at a time then.
    repository: 5,
    zone: 2,
    // What is given to the mail servers, a domain at a time (features/mailboxes).
    'mail-domain': 2
  },
  jobs: 4,
  jobListener: 1,
  eventListener: 1,
  workerLease: 1,
  /** Of the embedded store; before there are requests, that of a start. */
  probe: 1
} as const

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

const { locks, ...single } = connectionBudget
export const lockConnections = sum(Object.values(locks))
const fixed = lockConnections + sum(Object.values(single))

const leastForRequests = 9

/** Two processes with so many leave some of PostgreSQL's usual 100 for psql and a command, and the three that it keeps for superusers. */
export const leastConnections = fixed + leastForRequests
export const requestConnections = (connections: number): number => connections - fixed
