import type { LanguageSample } from "./language-sample.ts";

export const EUROPEAN_PARAGRAPHS: readonly LanguageSample[] = [
  {
    language: "de",
    copied:
      "Als die Gemeinde im Herbst 1902 beschloss, den alten Mühlgraben zuzuschütten, rechnete niemand mit dem Widerstand der Müllerswitwe Therese Oberhuber. Sie legte dem Bürgermeister eine Urkunde aus dem Jahr 1688 vor, nach der das Wasser ihrem Haus auf ewig zustehe, und weigerte sich, auch nur einen Schlüssel herauszugeben. Drei Jahre lang stritten Anwälte über die Frage, ob ein Recht verfällt, das zweihundert Jahre keiner angefochten hat. Inzwischen wuchs im Graben das Schilf so hoch, dass die Kinder darin Verstecken spielten. Am Ende entschied ein Gericht in Salzburg zugunsten der Witwe; die Straße musste einen Bogen machen, den Fremde bis heute für einen Fehler der Planer halten.",
    reworded:
      "Im Herbst 1902 beschloss der Gemeinderat, den alten Mühlgraben aufzufüllen, und mit dem Widerstand der Witwe Therese Oberhuber rechnete dabei keiner. Dem Bürgermeister legte sie ein Dokument aus dem Jahr 1688 auf den Tisch, nach dem das Wasser für alle Zeiten ihrem Haus gehöre, und sie weigerte sich, einen einzigen Schlüssel abzugeben. Ganze drei Jahre stritten sich Juristen darüber, ob ein Recht verloren geht, das seit zweihundert Jahren niemand bezweifelt hat. Währenddessen wurde im Graben das Schilf so hoch, dass Kinder dort Verstecken spielten. Ein Salzburger Gericht entschied schließlich zugunsten der Müllerin; seither macht die Straße einen Bogen, den Besucher bis heute für einen Irrtum der Planer halten.",
    besideCopy:
      "Wer heute mit dem Fahrrad durch das Tal fährt, sieht von alledem kaum noch etwas. Die Wiesen werden zweimal im Jahr gemäht, und am Ufer stehen Bänke mit kleinen Messingschildern. Nur das Gasthaus an der Brücke führt noch den Namen der alten Familie.",
    besideSource:
      "Der Heimatverein hat seine Sammlung in vier Räumen neu geordnet. Besonders die Werkzeuge der Sattler und die bemalten Truhen ziehen viele Besucher an. Ein Katalog mit zahlreichen Abbildungen soll im nächsten Frühjahr erscheinen, sobald die Mittel dafür bewilligt sind.",
  },
  {
    language: "fr",
    copied:
      "Au début de l'hiver, les gardiens du phare de Kervilan recevaient pour trois mois de farine, de pétrole et de journaux déjà vieux. Quand la tempête de janvier 1928 emporta le canot et brisa l'escalier extérieur, ils durent partager leurs vivres pendant quarante-sept jours sans pouvoir adresser le moindre signal à la côte. Le plus jeune, Yann Le Bihan, tenait un carnet où il notait chaque matin la couleur de la mer et le nombre de biscuits restants. On y lit que les deux hommes ne se parlaient presque plus, mais qu'aucun soir la lampe ne resta éteinte. Lorsqu'un chalutier parvint enfin à leur lancer un filin, le chef refusa de descendre avant d'avoir remonté l'horloge.",
    reworded:
      "Les gardiens du phare de Kervilan recevaient, dès le début de l'hiver, de la farine, du pétrole et de vieux journaux pour trois mois. En janvier 1928 la tempête emporta leur canot et détruisit l'escalier extérieur; ils durent alors partager les vivres durant quarante-sept jours, sans pouvoir envoyer le moindre signal vers la côte. Yann Le Bihan, le plus jeune, tenait un petit carnet où il inscrivait chaque matin la couleur de la mer et combien de biscuits restaient. On y apprend que les deux hommes ne se parlaient quasiment plus, mais que la lampe ne resta éteinte aucun soir. Quand un chalutier réussit enfin à leur jeter un filin, le chef ne voulut pas descendre avant d'avoir remonté l'horloge.",
    besideCopy:
      "Le musée du port ouvre ses portes tous les jours sauf le lundi. On y montre des maquettes de goélettes, des compas de laiton et quelques lettres de marins. Les enfants peuvent apprendre à faire des nœuds dans la petite salle du fond.",
    besideSource:
      "La commune a repeint les volets de la mairie et planté des tamaris le long du quai. Le marché du samedi attire maintenant des producteurs venus de tout le canton. Plusieurs habitants souhaitent qu'une navette relie le bourg à la gare pendant l'été.",
  },
  {
    language: "es",
    copied:
      "La biblioteca de San Jacinto empezó en una carreta que el maestro Eulogio Paredes empujaba de finca en finca durante la cosecha del café. Llevaba ochenta libros envueltos en hule y un cuaderno donde los jornaleros firmaban con una cruz si todavía no sabían escribir. Cuando el alcalde quiso prohibir aquel préstamo porque distraía a los peones, las mujeres del pueblo cerraron sus cocinas durante dos días enteros y nadie comió caliente. La orden fue retirada el miércoles. Diez años después, en el mismo cuaderno, las cruces se habían convertido en nombres completos, algunos con rúbricas tan complicadas que el notario pidió copiarlas. Hoy la carreta cuelga del techo de la sala de lectura.",
    reworded:
      "En una carreta que el maestro Eulogio Paredes empujaba de hacienda en hacienda mientras duraba la cosecha del café comenzó la biblioteca de San Jacinto. Cargaba ochenta libros cubiertos de hule y también un cuaderno en el que los jornaleros ponían una cruz si aún no sabían escribir. El alcalde quiso prohibir el préstamo, pues según él distraía a los peones; entonces las mujeres del pueblo cerraron durante dos días sus cocinas y nadie comió caliente. El miércoles la orden quedó retirada. Una década más tarde, en ese mismo cuaderno, las cruces ya eran nombres completos, varios con rúbricas tan enredadas que el notario quiso copiarlas. La carreta cuelga hoy del techo en la sala de lectura.",
    besideCopy:
      "El tren de la tarde se detiene apenas tres minutos en la estación. Los viajeros compran empanadas por la ventanilla y preguntan si falta mucho para llegar a la costa. Después vuelve el silencio y solo se oye el ventilador de la taquilla.",
    besideSource:
      "El ayuntamiento presentó el plan de arbolado para los próximos cinco años. Se plantarán jacarandas en la avenida principal y naranjos junto a las escuelas. Los vecinos podrán adoptar un árbol y encargarse de su riego durante los meses más secos.",
  },
  {
    language: "ru",
    copied:
      "Переправу через Ветлугу держал в те годы бывший учитель геометрии Савелий Прокопьев, и паром его ходил не по часам, а по солнечной тени на столбе. Крестьяне сперва смеялись над этим порядком, но скоро заметили, что тень никогда не опаздывает, тогда как почтовые часы отставали каждую зиму на целый час. В половодье 1891 года трос лопнул посреди реки, и паром с двумя подводами понесло к мельничной плотине. Савелий велел всем лечь на доски, а сам измерил глазом расстояние до берега и бросил якорь именно там, где течение поворачивало. Подводы спасли, промок только мешок с письмами. С тех пор о точных людях в уезде говорили, что они считают по прокопьевскому столбу.",
    reworded:
      "В те годы переправу через Ветлугу содержал Савелий Прокопьев, прежде учитель геометрии, и ходил его паром не по часам, а по тени на солнечном столбе. Сперва крестьяне посмеивались над таким порядком, однако вскоре увидели, что тень не опаздывает никогда, а почтовые часы каждую зиму отставали на целый час. Посреди реки в половодье 1891 года оборвался трос, и паром вместе с двумя подводами потащило к плотине у мельницы. Всем Савелий приказал лечь на доски, сам же на глаз измерил расстояние до берега и якорь бросил как раз там, где поворачивало течение. Подводы удалось спасти, намок лишь мешок с письмами. С того времени про точных людей в уезде говорили, будто они считают по прокопьевскому столбу.",
    besideCopy:
      "Весной в нашем дворе наконец починили качели и покрасили скамейки. Старушки снова сидят у подъезда и обсуждают цены на рассаду. Мой сосед разводит голубей и утверждает, что узнаёт каждого из них по полёту.",
    besideSource:
      "В районном музее открылась выставка деревянной игрушки. Среди экспонатов есть медведи, кузнецы и целые тройки с бубенцами. Организаторы обещают мастер-классы для школьников и просят записываться заранее, потому что зал вмещает не больше двадцати человек.",
  },
];
