/** Database connections of one process; they add up to STORE_CONNECTIONS. */
export const connectionBudget = {
  /** Per kind (lock.ts), because work under one kind may need a lock of another. */
  locks: {
    // These serialise reading the database and updating the proxy.
    routes: 1,
    certificates: 1,
    // Two order queues with as many workers (features/certificates). An order without a slot counts as another
    // worker's.
    'certificate-orders': 5,
    database: 8,
    'project-database': 2,
    'sftp-account': 1,
    'project-directories': 1,
    // Four connection tests of new repositories (features/git), which a slow host may block, and one for builds.
    repository: 5,
    zone: 2,
    'mail-domain': 2,
    volume: 1
  },
  // Statements about jobs take about a millisecond. A connection keeps the catalogue of the queues that it has used in
  // memory, of all of them 14 MB: statements about all queues have one of their own.
  jobs: 2,
  jobPolls: 1,
  jobListener: 1,
  eventListener: 1,
  workerLease: 1,
  probe: 1
} as const

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

const { locks, ...single } = connectionBudget
export const lockConnections = sum(Object.values(locks))
const fixed = lockConnections + sum(Object.values(single))

const minForRequests = 10

/** Two processes with this many leave some of PostgreSQL's default 100 for psql and a command. */
export const leastConnections = fixed + minForRequests
export const requestConnections = (connections: number): number => connections - fixed
