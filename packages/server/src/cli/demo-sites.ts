interface Site {
  name: string
  greeting: string
  /** Requests in the busiest hour; 0 for a site whose build fails. */
  busiest: number
  typicalMs: number
  /** Of a thousand requests. */
  errors: number
}

export const sites: readonly Site[] = [
  { name: 'bakery-shop', greeting: 'Brandt Bakery', busiest: 2_400, typicalMs: 60, errors: 1 },
  { name: 'studio-north', greeting: 'Studio North', busiest: 800, typicalMs: 25, errors: 0 },
  { name: 'booking-api', greeting: 'Weber Travel', busiest: 1_100, typicalMs: 190, errors: 23 },
  { name: 'travel-blog', greeting: 'Weber Travel Blog', busiest: 0, typicalMs: 0, errors: 0 }
]

/** The project by which a later start finds the demo again. */
export const firstSite = sites[0]!.name
