/** The sampling interval. */
export const figureMinutes = 5
export const figureDays = 30
