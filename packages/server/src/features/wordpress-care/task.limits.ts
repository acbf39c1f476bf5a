/** Apache notices a changed PHP file after two seconds (opcache.revalidate_freq). */
export const settleMs = 3_000

export const deployPollMs = 1_000
