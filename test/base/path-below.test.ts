import { expect, test } from 'vitest'
import { pathBelow } from '../../src/base/path-below.ts'

test.each([
  ['/home/ada/loom/src/a.ts', '/home/ada/loom', 'src/a.ts'],
  ['/home/ada/loom', '/home/ada/loom', '/home/ada/loom'],
  ['/home/ada/loom/', '/home/ada/loom', '/home/ada/loom/'],
  ['/home/ada/looms/a.ts', '/home/ada/loom', '/home/ada/looms/a.ts'],
  ['/Home/ada/loom/a.ts', '/home/ada/loom', '/Home/ada/loom/a.ts'],
  ['/etc/hosts', '/', '/etc/hosts'],
  ['/etc/hosts', '', '/etc/hosts'],
  ['C:\\Users\\ada\\loom\\src\\a.ts', 'C:\\Users\\ada\\loom', 'src\\a.ts'],
  ['c:\\users\\ada\\loom\\src\\a.ts', 'C:\\Users\\ada\\loom', 'src\\a.ts'],
  ['C:/Users/ada/loom/src/a.ts', 'C:\\Users\\ada\\loom', 'src/a.ts'],
  ['C:\\Users\\ada\\looms\\a.ts', 'C:\\Users\\ada\\loom', 'C:\\Users\\ada\\looms\\a.ts'],
  ['D:\\loom\\a.ts', 'C:\\loom', 'D:\\loom\\a.ts'],
  ['C:\\a.ts', 'C:\\', 'a.ts'],
  ['C:\\loom\\', 'C:\\loom', 'C:\\loom\\'],
  ['\\\\host\\share\\loom\\a.ts', '\\\\host\\share\\loom', 'a.ts'],
  ['/home/ada/a\\b.ts', '/home/ada', 'a\\b.ts'],
])('%s seen from %s is %s', (path, folder, shown) => {
  expect(pathBelow(path, folder)).toBe(shown)
})
