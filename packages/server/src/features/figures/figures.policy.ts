/** Between two points. */
export const figureMinutes = 5
export const figureDays = 30
