/** The dates for which `npm run nightly` runs the tests, one each night. Pure; all in the future of `today`. */
const DAY_MS = 86_400_000

export function nightlyDate(today) {
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()]
  const utc = (...parts) => new Date(Date.UTC(...parts))
  /** 00:59:30 UTC of the last Sunday of a month, when clocks in Europe change. */
  const lastSunday = (ofMonth) => {
    const last = utc(year + 1, ofMonth + 1, 0, 0, 59, 30)
    return new Date(last.getTime() - last.getUTCDay() * DAY_MS)
  }
  const leapYear = year + 4 - (year % 4)
  const dates = [
    utc(year, month + 2, day, 12),
    utc(year, month + 8, day, 12),
    utc(year + 3, month, day, 12),
    utc(leapYear, 1, 29, 12),
    lastSunday(2),
    lastSunday(9),
    // Thirty seconds before midnight at the end of a month and of a year.
    utc(year, month + 2, 0, 23, 59, 30),
    utc(year + 1, 11, 31, 23, 59, 30),
  ]
  return dates[Math.floor(today.getTime() / DAY_MS) % dates.length]
}
