/** Functions that differ between two texts of a module. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { changedFunctions, isSameProgram, ranAmong } from '../../../harness/gate/functions.js'

const namesIn = (/** @type {string} */ base, /** @type {string} */ head) =>
  changedFunctions(base, head)?.map(({ name }) => name)

for (const [title, base, head, expected] of /** @type {[string, string, string, string[]][]} */ ([
  ['a comment', 'function f () { return 1 } // c', 'function f () { return 1 } /* d */', []],
  ['layout', 'function f (a, b) { return a + b }', 'function f (\n  a,\n  b\n) {\n  return a + b\n}', []],
  ['brackets, and a comma at the end', 'const f = a => (g((a), 1))', 'const f = (a) =>\n  g(a, 1,);', []],
  ['text after // in a string', 'const a = "http://x"', 'const a = "http://y"', ['(module)']],
  ['blanks in a template', 'a(`x y`)', 'a(`x  y`)', ['(module)']],
  ['a pattern', 'f(/a\\/\\/b/)', 'f(/a\\/\\/c/)', ['(module)']],
  ['a line end after return', 'function f () { return 1 }', 'function f () { return\n1 }', ['f']],
  ['one function of many', 'function f () { return 1 } function g () {}', 'function f () {} function g () {}', ['f']],
  [
    'a function that is given a name',
    'a.b = { c: () => 1 }; let d = () => 1',
    'a.b = { c: () => 2 }; let d = () => 2',
    ['c', 'd']
  ],
  ['a function in another', 'const f = a => b => a + b', 'const f = a => b => a - b', ['']],
  ['a constant at the top', 'const K = 1; const f = () => K', 'const K = 2; const f = () => K', ['(module)']],
  ['a default parameter', 'function f (a = 1) { return a }', 'function f (a = 2) { return a }', ['f']],
  ['a function declaration that is new', 'f()', 'f()\nfunction g () {}', ['g']],
  ['a declaration in place of a built-in', 'new Map()', 'new Map()\nfunction Map () {}', ['(module)', 'Map']],
  ['a new export', 'export const a = 1', 'export const a = 1; export const b = 2', ['(module)']],
  ['a method added to a class', 'class A { m () {} }', 'class A { m () {} n () { return 2 } }', ['(module)', 'n']],
  ['a method of a class', 'class A { m () { return 1 } }', 'class A { m () { return 2 } }', ['m']],
  ['a static method', 'class A { static m () { return 1 } }', 'class A { static m () { return 2 } }', ['m']],
  ['a getter', 'class A { get m () { return 1 } }', 'class A { get m () { return 2 } }', ['m']],
  ['a class field', 'class A { x = 1 }', 'class A { x = 2 }', ['(module)']],
  [
    'a function that moves into another, to other names',
    'let x; function g () { return x } function f (x) { return g() }',
    'let x; function f (x) { function g () { return x } return g() }',
    ['g']
  ]
])) {
  test(`${title} changes ${expected.map(name => name || 'the inner function').join(' and ') || 'nothing'}`, () => {
    assert.deepEqual(namesIn(base, head), expected)
  })
}

test('what is no JavaScript is not compared', () => {
  assert.equal(changedFunctions('const a: string = "x"', 'const a = "x"'), null)
})

test('a tree that is too deep for the stack is compared, or not known', () => {
  for (let terms = 1000; terms < 8000; terms += 500) {
    const sum = `export default ${'a + '.repeat(terms)}`
    const changed = changedFunctions(`${sum}1`, `${sum}2`)
    assert.ok(changed === null || changed.length === 1)
  }
})

test('a comment that tools read may change the program', () => {
  assert.equal(isSameProgram('f() // a', 'f() // b'), true)
  assert.equal(isSameProgram('/* @jsx h */ f()', '/* @jsx k */ f()'), false)
  assert.equal(isSameProgram('/* @jsx h */ f() // a', '/* @jsx h */ f() // b'), true)
})

test('a changed function has run if V8 says so; what the text does not explain is not known', () => {
  const text = 'class A { static m () { return 1 } } function g () {}'
  const changed = changedFunctions('', text) ?? []
  const placeOf = (/** @type {string} */ part) =>
    /** @type {[number, number]} */ ([text.indexOf(part), text.indexOf(part) + part.length])
  const ran = [placeOf(text), placeOf('m () { return 1 }'), placeOf('class A { static m () { return 1 } }')]
  assert.deepEqual(ranAmong(text, changed, ran)?.map(({ name }) => name), ['(module)', 'm'])
  assert.equal(ranAmong(text, changed, [[3, 8]]), null)
})
