/**
 * The items of a list whose parts depend on conditions: `compact(isLate && 'late', ...others)`.
 *
 * @template {any[]} T
 * @param {T} items
 * @returns {Exclude<T[number], false | null | undefined | ''>[]} without those that are false, null or empty
 */
export const compact = (...items) => items.filter(Boolean)
