// A warehouse program, talked about in German.

import type { Story } from './story.ts'
import { bash, edit, read, say, turn } from './story.ts'

const project = '/home/ada/lager'

export const german: readonly Story[] = [
  {
    name: 'palettengroesse',
    project,
    at: '2026-02-05T08:30:00Z',
    title: 'Größe der Paletten',
    turns: [
      turn(
        'Die Größe der Paletten wird falsch gerundet: 1,205 m wird zu 1,2 m, und dann passt nichts mehr ins Regal.',
        read('/home/ada/lager/src/maße/palette.ts', 'export const hoehe = (mm: number) => Math.round(mm / 100) / 10'),
        say(
          'hoehe() rundet auf Dezimeter. Für die Regalplanung sollten wir in Millimetern rechnen und erst beim Anzeigen runden, und zwar immer auf.',
        ),
      ),
      turn(
        'Gut, mach das. Auch für die Breite.',
        edit('/home/ada/lager/src/maße/palette.ts', 'Math.round(mm / 100) / 10', 'Math.ceil(mm)'),
        say('Höhe und Breite sind jetzt Millimeter; angezeigt wird auf den nächsten Zentimeter aufgerundet.'),
      ),
    ],
  },
  {
    name: 'etiketten-umlaute',
    project,
    at: '2026-03-27T09:00:00Z',
    turns: [
      turn(
        'Auf den Etiketten fehlen die Umlaute: aus Schäfer wird Schfer. Der Drucker ist ein Zebra ZD421.',
        say(
          'Der Drucker erwartet ohne weiteres Code Page 850. Mit ^CI28 am Anfang des Etiketts versteht er UTF-8, dann stimmen die Umlaute.',
        ),
      ),
    ],
  },
  {
    name: 'strassenname',
    project,
    at: '2026-05-08T10:20:00Z',
    turns: [
      turn(
        'Der Paketdienst lehnt Sendungen ab, wenn der Straßenname länger als 40 Zeichen ist, zum Beispiel „Rechtsanwalt-Doktor-Schmidt-Gedächtnis-Straße“.',
        say(
          'Abkürzen, bevor wir abschneiden: Straße zu Str., Platz zu Pl. Was dann noch zu lang ist, kommt in die zweite Adresszeile.',
        ),
      ),
    ],
  },
  {
    name: 'bestand-mitternacht',
    project,
    at: '2026-07-15T07:50:00Z',
    turns: [
      turn(
        'Der Bestandsabgleich läuft seit gestern doppelt und bucht Fehlmengen zweimal.',
        bash('systemctl list-timers | grep abgleich', 'abgleich.timer      00:00\nabgleich-neu.timer  00:00'),
        say(
          'Es gibt zwei Timer um Mitternacht: abgleich.timer und abgleich-neu.timer, der alte wurde beim Umzug nicht abgeschaltet. Ich habe ihn deaktiviert und die doppelten Buchungen storniert.',
        ),
      ),
    ],
  },
  {
    name: 'scanner-pause',
    project,
    at: '2026-09-22T13:00:00Z',
    turns: [
      turn(
        'Die Handscanner verlieren nach der Mittagspause die Verbindung und müssen neu gestartet werden.',
        say(
          'Der Access Point trennt Geräte nach 30 Minuten Ruhe, und der Client versucht es nur einmal. Ich habe einen Neuversuch mit wachsendem Abstand eingebaut, höchstens eine Minute.',
        ),
      ),
    ],
  },
]
