"""Holds the languages besides English: what states a mechanic is found, and fiction with the same words passes."""

from importlib.resources import files

import pytest

from narrator.validation.language import load
from narrator.validation.meaning import states_mechanic

REFUSED = {
    "fr": (
        "Ajoute 2 à son prochain jet.",
        "Cynere gagne +2 sur sa prochaine attaque.",
        "Elle subit deux points de stress et recule.",
        "La garde encaisse 2 de stress.",
        "Coche ta deuxième case de stress.",
        "Elle prend une conséquence modérée.",
        "Conséquence légère : Cheville foulée",
        "Le capitaine obtient un boost contre elle.",
        "Vous avez une invocation gratuite sur cet aspect.",
        "Zird peut invoquer l’aspect Brume épaisse.",
        "Elle peut s'en servir une fois gratuitement.",
        "Le meneur reçoit un point Destin.",
        "La difficulté passe à 4.",
        "La difficulté augmente de deux pour la suite.",
        "Fais un jet de Discrétion pour passer.",
        "Relance tes 4dF.",
        "L'attaque réussit avec 3 crans de succès.",
        "Elle perd 5 points de vie.",
        "Elle perd son prochain tour.",
        "Un malus de 2 à toutes ses défenses.",
    ),
    "de": (
        "Cynere bekommt zwei auf den nächsten Wurf.",
        "Sie hat +2 auf Heimlichkeit.",
        "Die Wache nimmt zwei Stress.",
        "Er erleidet einen Punkt Stress.",
        "Sie markiert ein Stresskästchen.",
        "Sie nimmt eine leichte Konsequenz.",
        "Mittelschwere Konsequenz: Gebrochener Arm",
        "Der Hauptmann erhält einen Schub gegen sie.",
        "Die Wachen gewinnen einen Boost.",
        "Dazu gibt es einen freien Einsatz.",
        "Du darfst den Aspekt einmal kostenlos nutzen.",
        "Sie setzt ihren Aspekt ein und reizt den Aspekt der Wache.",
        "Das kostet sie einen Fate-Punkt.",
        "Die Schwierigkeit steigt um zwei.",
        "Die Schwierigkeit beträgt jetzt Großartig (+4).",
        "Der Wurf ist um 2 erschwert.",
        "Lege eine Probe auf Heimlichkeit ab.",
        "Würfle 2W6 für den Sturz.",
        "Zird gewinnt mit drei Erfolgsstufen.",
        "Sie verliert 5 Lebenspunkte.",
        "Er verliert seinen nächsten Zug.",
    ),
    "es": (
        "Suma 2 a su próxima tirada.",
        "Cynere tiene +2 al ataque.",
        "La guardia recibe dos puntos de estrés.",
        "Sufre 2 de estrés por la caída.",
        "Marca una casilla de estrés.",
        "Cynere recibe una consecuencia leve.",
        "Consecuencia moderada: Tobillo torcido",
        "El capitán obtiene un impulso contra ella.",
        "Los guardias ganan un boost.",
        "Tiene una invocación gratuita.",
        "Zird puede invocar el aspecto Niebla espesa.",
        "Puede usarlo una vez sin pagar.",
        "La directora recibe un punto de destino.",
        "La dificultad sube a 4.",
        "La dificultad aumenta en dos.",
        "Haz una tirada de Sigilo para pasar.",
        "Tira 2d6 por la caída.",
        "Gana con tres grados de éxito.",
        "Pierde 5 puntos de vida.",
        "Pierde su próximo turno.",
        "Una penalización de 2 a su defensa.",
    ),
    "it": (
        "Aggiungi 2 al suo prossimo tiro.",
        "Cynere ha +2 alla difesa.",
        "La guardia subisce due punti di stress.",
        "Prende 2 stress per la caduta.",
        "Segna una casella di stress.",
        "Cynere subisce una conseguenza lieve.",
        "Conseguenza moderata: Caviglia slogata",
        "Il capitano ottiene una spinta contro di lei.",
        "Le guardie guadagnano un boost.",
        "Ha un'invocazione gratuita su questo aspetto.",
        "Zird può invocare l’aspetto Nebbia fitta.",
        "Può usarlo una volta senza pagare.",
        "Il narratore riceve un punto Fato.",
        "La difficoltà sale a 4.",
        "La difficoltà aumenta di due.",
        "Fai una prova di Furtività per passare.",
        "Tira 2d6 per la caduta.",
        "Vince con tre gradi di successo.",
        "Perde 5 punti vita.",
        "Perde il prossimo turno.",
        "Un malus di 2 a tutte le prove.",
    ),
    "pt": (
        "Adicione 2 à sua próxima rolagem.",
        "Cynere tem +2 no ataque.",
        "A guarda recebe dois pontos de estresse.",
        "Sofre 2 de stress pela queda.",
        "Marque uma caixa de estresse.",
        "Cynere sofre uma consequência suave.",
        "Consequência moderada: Tornozelo torcido",
        "O capitão ganha um impulso contra ela.",
        "Os guardas recebem um boost.",
        "Ela tem uma invocação grátis.",
        "Zird pode invocar o aspecto Névoa densa.",
        "Pode usar isto uma vez de graça.",
        "O narrador recebe um ponto de destino.",
        "A dificuldade sobe para 4.",
        "A dificuldade aumenta em dois.",
        "Faça um teste de Furtividade para passar.",
        "Role 2d6 pela queda.",
        "Vence com três graus de sucesso.",
        "Perde 5 pontos de vida.",
        "Perde o próximo turno.",
        "Uma penalidade de 2 em todos os testes.",
    ),
    "pl": (
        "Dodaj 2 do następnego rzutu.",
        "Cynere ma +2 do obrony.",
        "Strażnik otrzymuje dwa punkty stresu.",
        "Przyjmuje 2 stresu od upadku.",
        "Zaznacza pole stresu.",
        "Cynere otrzymuje lekką konsekwencję.",
        "Umiarkowana konsekwencja: Skręcona kostka",
        "Kapitan zyskuje podbicie przeciwko niej.",
        "Strażnicy dostają boost.",
        "Ma darmowe wywołanie tego aspektu.",
        "Zird może przywołać aspekt Gęsta mgła.",
        "Można użyć tego raz za darmo.",
        "Mistrz gry dostaje punkt losu.",
        "Trudność rośnie do 4.",
        "Trudność wzrasta o dwa.",
        "Wykonaj test Skradania, żeby przejść.",
        "Rzuć 2k6 za upadek.",
        "Wygrywa z trzema stopniami sukcesu.",
        "Traci 5 punktów życia.",
        "Traci następną turę.",
        "Otrzymuje karę -2 do wszystkich testów.",
    ),
}
"""By language: texts that state a mechanic, in the words of its translation, in English ones, and in plain ones."""

PASSED = {
    "fr": (
        "Le stress la gagne, et sa main tremble.",
        "Elle prend une décision lourde de conséquences.",
        "L'incendie aura de graves conséquences pour la ville.",
        "Elle respire avec difficulté.",
        "La difficulté est grande, mais le pont tient.",
        "Un jet de pierres manque Cynere de peu.",
        "Le prochain jet de vapeur sera pour elle.",
        "La sorcière invoque une fois de plus les esprits.",
        "Deux points de suture, et trois crans de plus à la ceinture.",
        "Il lui donne un coup de pouce pour passer le mur.",
        "Elle avance de deux cases sur l'échiquier.",
        "Sous le stress, il lance les dés et perd son tour dans la file.",
        "Il n'y a point de destin, dit la vieille.",
        "Dehors, il fait -5 degrés.",
        "Le choc physique et le stress l'épuisent.",
        "L'avantage reste aux gardes du pont.",
        "Une bonne action et deux attaques de loups.",
        "Ajoute deux bûches au feu et ferme la porte.",
    ),
    "de": (
        "Der Stress steht ihr im Gesicht.",
        "Das hat ernste Konsequenzen für die ganze Stadt.",
        "Er zieht die Konsequenz daraus und geht.",
        "Nur mit Schwierigkeiten kommt sie auf die Beine.",
        "Das Boot bekommt einen kräftigen Schub von der Welle.",
        "Der nächste Wurf trifft den Krug neben ihr.",
        "Bei der nächsten Probe fehlt der Chor.",
        "Zwei Punkte leuchten über dem Moor.",
        "Der Hauptmann nimmt einen Zug aus der Pfeife.",
        "Die Wachen haben zwei Hunde im Hof.",
        "Draußen sind es -5 Grad.",
        "Sie setzt ihren Fuß auf die dritte Stufe.",
        "Unter Stress würfelt er mit den Soldaten um den Sold.",
        "Der Widerstand im Viertel wächst.",
        "Ihr Schicksal hängt an einem Faden, und der wird dünner.",
        "Der Angriff beginnt um vier.",
        "Sie nutzt die Gunst der Stunde und den Schatten.",
    ),
    "es": (
        "El estrés le pesa en los hombros.",
        "Esto tendrá consecuencias graves para la aldea.",
        "Respira con dificultad.",
        "La dificultad es enorme, pero el puente aguanta.",
        "Siente el impulso de huir.",
        "La barca toma impulso y choca contra el muelle.",
        "La bruja invoca a los espíritus una vez más.",
        "El próximo tiro rompe la lámpara.",
        "Dos puntos de luz se mueven en la colina.",
        "La próxima tirada del periódico llevará su cara.",
        "El destino los reúne en el mismo punto del camino.",
        "Fuera hace -5 grados.",
        "Tira los dados sobre la mesa y se ríe.",
        "Suma dos y dos y mira a la puerta.",
        "La guardia recibe dos cartas.",
        "Espera su turno en la cola.",
        "Un buen ataque de tos lo delata.",
        "Tiene un aspecto terrible.",
    ),
    "it": (
        "Lo stress le segna il volto.",
        "Ci saranno gravi conseguenze per il villaggio.",
        "Respira con difficoltà.",
        "La difficoltà è grande, ma il ponte regge.",
        "Riceve una spinta e cade nel canale.",
        "Sente l'impulso di fuggire.",
        "La strega invoca gli spiriti ancora una volta.",
        "Il prossimo tiro rompe la lampada.",
        "Due punti di luce si muovono sulla collina.",
        "Alla prossima prova manca il coro.",
        "Il destino li riunisce nello stesso punto della strada.",
        "Fuori ci sono -5 gradi.",
        "Getta i dadi sul tavolo e ride.",
        "La guardia riceve due lettere.",
        "Aspetta il suo turno in fila.",
        "Ha un aspetto terribile.",
        "Un buon attacco di tosse lo tradisce.",
        "Aggiunge due ceppi al fuoco.",
    ),
    "pt": (
        "O estresse pesa nos ombros dela.",
        "Isto terá consequências graves para a aldeia.",
        "Respira com dificuldade.",
        "A dificuldade é grande, mas a ponte aguenta.",
        "Sente o impulso de fugir.",
        "O barco ganha impulso e bate no cais.",
        "A bruxa invoca os espíritos mais uma vez.",
        "O próximo tiro quebra a lâmpada.",
        "Dois pontos de luz movem-se na colina.",
        "A próxima jogada do velho surpreende a mesa.",
        "O destino os reúne no mesmo ponto da estrada.",
        "Lá fora faz -5 graus.",
        "Lança os dados na mesa e ri.",
        "A guarda recebe duas cartas.",
        "Espera a sua vez na fila.",
        "Tem um aspecto terrível.",
        "O rapaz passa no teste do mestre.",
        "Adicione duas achas ao fogo, diz ela.",
    ),
    "pl": (
        "Stres widać na jej twarzy.",
        "To będzie miało poważne konsekwencje dla wioski.",
        "Z trudnością łapie oddech.",
        "Trudność jest wielka, ale most wytrzymuje.",
        "Pod wpływem impulsu skacze przez okno.",
        "Straż otrzymuje wzmocnienie z twierdzy.",
        "Wiedźma jeszcze raz przywołuje duchy.",
        "Następny rzut kamieniem rozbija lampę.",
        "Dwa punkty światła poruszają się na wzgórzu.",
        "Los spotyka ich w tym samym punkcie drogi.",
        "Na dworze jest -5 stopni.",
        "Rzuca kości na stół i śmieje się.",
        "Strażnik dostaje dwa listy.",
        "Czeka na swoją kolej.",
        "Trzy stopnie prowadzą w dół, do piwnicy.",
        "Ma słaby głos, ale dobry słuch.",
        "Dodaje dwa polana do ognia.",
        "Bierze karę na siebie.",
    ),
}
"""By language: plain fiction, with the words that mechanics are told in."""


def rows(texts: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    """One row for each text, with its language."""
    return [(language, text) for language, each in texts.items() for text in each]


def test_every_language_has_its_texts() -> None:
    """A file for a language comes with a dozen texts that are refused, and a dozen that pass; English has a corpus."""
    folder = files("narrator.validation").joinpath("lexicon")
    languages = {file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")} - {"en"}

    for texts in (REFUSED, PASSED):
        assert {language for language, each in texts.items() if len(each) >= 12} == languages


@pytest.mark.parametrize(("language", "text"), rows(REFUSED))
def test_a_mechanic_is_found(language: str, text: str) -> None:
    """A text that states a mechanic is refused in every language that has a file."""
    lexicon = load(language)
    assert lexicon is not None

    assert states_mechanic(text, lexicon) is not None


@pytest.mark.parametrize(("language", "text"), rows(PASSED))
def test_plain_fiction_passes(language: str, text: str) -> None:
    """Fiction that has the words of a mechanic, and states none, is let through."""
    lexicon = load(language)
    assert lexicon is not None

    assert states_mechanic(text, lexicon) is None
