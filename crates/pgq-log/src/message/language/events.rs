//! Messages about temporary files, waits for locks and cancellations, in every language of the server's message
//! catalogs. event.rs matches the messages. tests/parts/language.rs compares the messages with the catalogs of an
//! installed server.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventForm {
    TemporaryFile,
    LockWait,
    LockAcquired,
    ServerKilled,
    ServerStarted,
}

pub struct EventWords {
    /// Language code of `lc_messages`. Used only by the test that compares the words with the message catalogs.
    pub code: &'static str,
    /// Text before and after the number in `at character 8`, which the server appends to an error in a stderr log.
    pub position: [&'static str; 2],
    /// Patterns of messages with placeholders. `{p}` is a process ID, `{n}` any string, `{b}` a number of bytes,
    /// `{w}` a time in milliseconds, `{m}` a lock mode, `{o}` a locked object.
    pub forms: &'static [(EventForm, &'static str)],
    /// Errors of statements that were canceled by a timeout, a user or a recovery conflict.
    pub cancellations: &'static [&'static str],
    /// CONTEXT of an error that a parallel worker passed to its leader.
    pub parallel_worker: &'static str,
    /// Start of the message about the end of a session. Empty if no catalog translates the message.
    pub session_end: &'static str,
}

#[rustfmt::skip] // one message per line
pub const EVENTS: &[EventWords] = &[
    EventWords {
        code: "en",
        position: [" at character ", ""],
        forms: &[
            (EventForm::TemporaryFile, "temporary file: path \"{n}\", size {b}"),
            (EventForm::LockWait, "process {p} still waiting for {m} on {o} after {w} ms"),
            (EventForm::LockWait, "process {p} detected deadlock while waiting for {m} on {o} after {w} ms"),
            (EventForm::LockAcquired, "process {p} acquired {m} on {o} after {w} ms"),
            (EventForm::ServerKilled, "{n} (PID {p}) was terminated by signal {n}"),
            (EventForm::ServerStarted, "database system is ready to accept connections"),
        ],
        cancellations: &[
            "canceling statement due to statement timeout",
            "canceling statement due to lock timeout",
            "canceling statement due to user request",
            "canceling statement due to conflict with recovery",
        ],
        parallel_worker: "parallel worker",
        session_end: "disconnection: session time: ",
    },
    EventWords {
        code: "de",
        position: [" bei Zeichen ", ""],
        forms: &[
            (EventForm::TemporaryFile, "temporäre Datei: Pfad »{n}«, Größe {b}"),
            (EventForm::LockWait, "Prozess {p} wartet immer noch auf {m}-Sperre auf {o} nach {w} ms"),
            (EventForm::LockWait, "Prozess {p} hat Verklemmung festgestellt beim Warten auf {m}-Sperre auf {o} nach {w} ms"),
            (EventForm::LockAcquired, "Prozess {p} erlangte {m}-Sperre auf {o} nach {w} ms"),
            (EventForm::ServerKilled, "{n} (PID {p}) wurde von Signal {n}"),
            (EventForm::ServerStarted, "Datenbanksystem ist bereit, um Verbindungen anzunehmen"),
        ],
        cancellations: &[
            "storniere Anfrage wegen Zeitüberschreitung der Anfrage",
            "storniere Anfrage wegen Zeitüberschreitung einer Sperre",
            "storniere Anfrage wegen Benutzeraufforderung",
            "storniere Anfrage wegen Konflikt mit der Wiederherstellung",
        ],
        parallel_worker: "paralleler Arbeitsprozess",
        session_end: "Verbindungsende: Sitzungszeit: ",
    },
    EventWords {
        code: "es",
        position: [" en carácter ", ""],
        forms: &[
            (EventForm::TemporaryFile, "archivo temporal: ruta «{n}», tamaño {b}"),
            (EventForm::LockWait, "el proceso {p} aún espera {m} en {o} después de {w} ms"),
            (EventForm::LockWait, "el proceso {p} detectó un deadlock mientras esperaba {m} en {o} después de {w} ms"),
            (EventForm::LockAcquired, "el proceso {p} adquirió {m} en {o} después de {w} ms"),
            (EventForm::ServerKilled, "{n} (PID {p}) fue terminado por una señal {n}"),
            (EventForm::ServerStarted, "el sistema de bases de datos está listo para aceptar conexiones"),
        ],
        cancellations: &[
            "cancelando la sentencia debido a que se agotó el tiempo de espera de sentencias",
            "cancelando la sentencia debido a que se agotó el tiempo de espera de candados (locks)",
            "cancelando la sentencia debido a que se agotó el tiempo de espera de “locks”",
            "cancelando la sentencia debido a una petición del usuario",
            "cancelando la sentencia debido a un conflicto con la recuperación",
        ],
        parallel_worker: "ayudante paralelo",
        session_end: "desconexión: duración de sesión: ",
    },
    EventWords {
        code: "fr",
        position: [" au caractère ", ""],
        forms: &[
            (EventForm::TemporaryFile, "fichier temporaire : chemin « {n} », taille {b}"),
            (EventForm::LockWait, "le processus {p} est toujours en attente de {m} sur {o} après {w} ms"),
            (EventForm::LockWait, "le processus {p} a détecté un verrou mortel alors qu'il était en attente de{m} sur {o} après {w} ms"),
            (EventForm::LockAcquired, "le processus {p} a acquis {m} sur {o} après {w} ms"),
            (EventForm::ServerKilled, "{n} (PID {p}) a été arrêté par le signal {n}"),
            (EventForm::ServerStarted, "le système de bases de données est prêt pour accepter les connexions"),
        ],
        cancellations: &[
            "annulation de la requête à cause du délai écoulé pour l'exécution de l'instruction",
            "annulation de la requête à cause du délai écoulé pour l'obtention des verrous",
            "annulation de la requête à la demande de l'utilisateur",
            "annulation de la requête à cause d'un conflit avec la restauration",
        ],
        parallel_worker: "processus parallèle",
        session_end: "déconnexion : durée de la session : ",
    },
    EventWords {
        code: "id",
        position: [" pada karakter ", ""],
        forms: &[
            (EventForm::TemporaryFile, "file sementara: path « {n} », ukuran {b}"),
            (EventForm::LockWait, "proses {p} masih menunggu {m} pada {o} setelah {w} ms"),
            (EventForm::LockAcquired, "proses {p} mendapatkan {m} pada {o} setelah {w} ms"),
        ],
        cancellations: &[
            "pembatalan perintah karena perintah kehabisan waktu tunggu",
            "pembatalan perintah karena kunci kehabisan waktu tunggu",
            "pembatalan perintah karena permintaan pengguna",
            "pembatalan perintah karena konflik dengan perbaikan",
        ],
        parallel_worker: "parallel worker",
        session_end: "",
    },
    EventWords {
        code: "it",
        position: [" al carattere ", ""],
        forms: &[
            (EventForm::TemporaryFile, "file temporaneo: percorso \"{n}\", dimensione {b}"),
            (EventForm::LockWait, "il processo {p} è ancora un attesa di {m} su {o} dopo {w} ms"),
            (EventForm::LockWait, "il processo {p} ha individuato un deadlock mentre era in attesa di {m} su {o} dopo {w} ms"),
            (EventForm::LockAcquired, "il processo {p} ha acquisito {m} su {o} dopo {w} ms"),
            (EventForm::ServerKilled, "{n} (PID {p}) è stato terminato dal segnale {n}"),
            (EventForm::ServerStarted, "il database è pronto ad accettare connessioni"),
        ],
        cancellations: &[
            "annullamento dell'istruzione a causa di timeout",
            "annullamento dell'istruzione a causa di timeout di lock",
            "annullamento dell'istruzione su richiesta dell'utente",
            "annullamento dell'istruzione a causa di un conflitto con il ripristino",
        ],
        parallel_worker: "worker parallelo",
        session_end: "disconnessione: tempo della sessione: ",
    },
    EventWords {
        code: "ja",
        position: ["(", "文字目)"],
        forms: &[
            (EventForm::TemporaryFile, "一時ファイル: パス \"{n}\"、サイズ {b}"),
            (EventForm::LockWait, "プロセス{p}は{m}を{o}で待機しています。{w}ミリ秒後"),
            (EventForm::LockWait, "プロセス{p}は、{o}上の{m}に対し{w} ms待機するデッドロックを検知しました"),
            (EventForm::LockAcquired, "プロセス{p}は{w} ms後に{o}上の{m}を獲得しました"),
            (EventForm::ServerKilled, "{n} (PID {p})はシグナル{n}"),
            (EventForm::ServerStarted, "データベースシステムの接続受け付け準備が整いました"),
        ],
        cancellations: &[
            "ステートメントのタイムアウトのためステートメントをキャンセルしています",
            "ロックのタイムアウトのためステートメントをキャンセルしています",
            "ユーザーからの要求により文をキャンセルしています",
            "ユーザからの要求により文をキャンセルしています",
            "リカバリで競合が発生したためステートメントをキャンセルしています",
        ],
        parallel_worker: "パラレルワーカー",
        session_end: "接続を切断: セッション時間: ",
    },
    EventWords {
        code: "ka",
        position: [" სიმბოლოსთან ", ""],
        forms: &[
            (EventForm::TemporaryFile, "დროებითი ფაილი: ბილიკი \"{n}\", ზომა {b}"),
            (EventForm::ServerKilled, "{n} (PID {p}) დასრულდა სიგნალით: {n}"),
            (EventForm::ServerStarted, "მონაცემთა ბაზის სისტემა მზადაა შეერთებების მისაღებად"),
        ],
        cancellations: &[
            "გამოსახულება გაუქმდება ბლოკის მოლოდინის ვადის ამოწურვის გამო",
            "გამოსახულების გაუქმება აღდგენასთან კონფლიქტის გამო",
        ],
        parallel_worker: "პარალელური დამხმარე პროცესი",
        session_end: "",
    },
    EventWords {
        code: "ko",
        position: [" ", " 번째 문자 부근"],
        forms: &[
            (EventForm::TemporaryFile, "임시 파일: 경로 \"{n}\", 크기 {b}"),
            (EventForm::LockWait, "{p} PID 프로세스에서 여전히 {m}({o}) 작업을 기다리고 있음({w}ms 후)"),
            (EventForm::LockWait, "{p} PID 프로세스에서 {m}({o}) 대기중 {w}ms 후에 교착 상태를 감지함"),
            (EventForm::LockAcquired, "{p} PID 프로세스가 {m}({o}) 작업을 위해 잠금 취득함({w}ms 후)"),
            (EventForm::ServerKilled, "{n} (PID {p}) 프로세스가 {n}"),
            (EventForm::ServerStarted, "이제 데이터베이스 서버로 접속할 수 있습니다"),
        ],
        cancellations: &[
            "명령실행시간 초과로 작업을 취소합니다.",
            "잠금 대기 시간 초과로 작업을 취소합니다.",
            "사용자 요청에 의해 작업을 취소합니다.",
            "복구 작업 중 충돌이 발생해 작업을 중지합니다.",
        ],
        parallel_worker: "병렬 처리 작업자",
        session_end: "연결종료: 세션 시간: ",
    },
    EventWords {
        code: "pl",
        position: [" przy znaku ", ""],
        forms: &[
            (EventForm::TemporaryFile, "plik tymczasowy: ścieżka \"{n}\", rozmiar {b}"),
            (EventForm::LockWait, "proces {p} wciąż oczekuje na {m} na {o} po {w} ms"),
            (EventForm::LockAcquired, "proces {p} uzyskał {m} na {o} po {w} ms"),
        ],
        cancellations: &[
            "anulowano polecenie z powodu przekroczonego czasu wykonania",
            "anulowano polecenie z powodu przekroczenia czasu blokady",
            "anulowano polecenie na skutek żądania użytkownika",
            "anulowano polecenie z powodu konfliktu podczas odzyskiwania",
        ],
        parallel_worker: "parallel worker",
        session_end: "",
    },
    EventWords {
        code: "pt_BR",
        position: [" no caractere ", ""],
        forms: &[
            (EventForm::TemporaryFile, "arquivo temporário: caminho \"{n}\", tamanho {b}"),
            (EventForm::LockWait, "processo {p} ainda espera por {m} em {o} após {w} ms"),
            (EventForm::LockAcquired, "processo {p} obteve {m} em {o} após {w} ms"),
        ],
        cancellations: &[
            "cancelando comando por causa do tempo de espera (timeout) do comando",
            "cancelando comando por causa do tempo de espera (timeout) do bloqueio",
            "cancelando o comando devido a um pedido do usuário",
            "cancelando a instrução devido a um conflito com a recuperação",
        ],
        parallel_worker: "parallel worker",
        session_end: "",
    },
    EventWords {
        code: "ru",
        position: [" (символ ", ")"],
        forms: &[
            (EventForm::TemporaryFile, "временный файл: путь \"{n}\", размер {b}"),
            (EventForm::LockWait, "процесс {p} продолжает ожидать в режиме {m} блокировку \"{o}\" в течение {w} мс"),
            (EventForm::LockWait, "процесс {p} обнаружил взаимоблокировку, ожидая в режиме {m} блокировку \"{o}\" в течение {w} мс"),
            (EventForm::LockAcquired, "процесс {p} получил в режиме {m} блокировку \"{o}\" через {w} мс"),
            (EventForm::ServerKilled, "{n} (PID {p}) был завершён по сигналу {n}"),
            (EventForm::ServerStarted, "система БД готова принимать подключения"),
        ],
        cancellations: &[
            "выполнение оператора отменено из-за тайм-аута",
            "выполнение оператора отменено из-за тайм-аута блокировки",
            "выполнение оператора отменено по запросу пользователя",
            "выполнение оператора отменено из-за конфликта с процессом восстановления",
        ],
        parallel_worker: "параллельный исполнитель",
        session_end: "отключение: время сеанса: ",
    },
    EventWords {
        code: "sv",
        position: [" vid tecken ", ""],
        forms: &[
            (EventForm::TemporaryFile, "temporär fil: sökväg \"{n}\", storlek {b}"),
            (EventForm::LockWait, "process {p} väntar fortfarande på {m} för {o} efter {w} ms"),
            (EventForm::LockWait, "process {p} upptäckte deadlock medan den väntade på {m} för {o} efter {w} ms"),
            (EventForm::LockAcquired, "process {p} fick {m} på {o} efter {w} ms"),
            (EventForm::ServerKilled, "{n} (PID {p}) terminerades av signal {n}"),
            (EventForm::ServerStarted, "databassystemet är redo att ta emot anslutningar"),
        ],
        cancellations: &[
            "avbryter sats på grund av sats-timeout",
            "avbryter sats på grund av lås-timeout",
            "avbryter sats på användares begäran",
            "avbryter sats på grund av konflikt med återställning",
        ],
        parallel_worker: "parallell arbetare",
        session_end: "nedkoppling: sessionstid: ",
    },
    EventWords {
        code: "tr",
        position: [" ", " karakterinde "],
        forms: &[
            (EventForm::TemporaryFile, "geçici dosya: yol \"{n}\", boyut {b}"),
        ],
        cancellations: &[
            "sorgu zaman aşımına uğradı ve iptal edildi",
            "kullanıcı isteği ile sorgu iptal edildi",
            "kurtarma işlemi ile çakışmadan dolayı sorgu iptal ediliyor",
        ],
        parallel_worker: "parallel worker",
        session_end: "",
    },
    EventWords {
        code: "uk",
        position: [" символ ", ""],
        forms: &[
            (EventForm::TemporaryFile, "тимчасовий файл: шлях \"{n}\", розмір {b}"),
            (EventForm::LockWait, "процес {p} все ще чекає в режимі {m} блокування {o} після {w} мс"),
            (EventForm::LockWait, "процес {p} виявив взаємне блокування, чекаючи в режимі {m} блокування {o} після {w} мс"),
            (EventForm::LockAcquired, "процес {p} отримав в режимі {m} блокування {o} після {w} мс"),
            (EventForm::ServerKilled, "{n} (PID {p}) був перерваний сигналом {n}"),
            (EventForm::ServerStarted, "система бази даних готова до отримання підключення"),
        ],
        cancellations: &[
            "виконання оператора скасовано через тайм-аут",
            "виконання оператора скасовано через тайм-аут блокування",
            "виконання оператора скасовано по запиту користувача",
            "виконання оператора скасовано через конфлікт з процесом відновлення",
        ],
        parallel_worker: "паралельний виконавець",
        session_end: "відключення: час сеансу: ",
    },
    EventWords {
        code: "zh_CN",
        position: [" 第 ", " 个字符处"],
        forms: &[
            (EventForm::TemporaryFile, "临时文件: 路径 \"{n}\", 大小{b}"),
            (EventForm::LockWait, "进程{p}在{w} ms仍然等待在{o}上的{m}"),
            (EventForm::LockWait, "进程{p}在{w} ms等待在{o}上的{m}同时监测到死锁"),
            (EventForm::LockAcquired, "进程{p}在{w} ms后获取在{o}上的{m}"),
            (EventForm::ServerKilled, "{n} (PID {p}) 被信号 {n}"),
            (EventForm::ServerStarted, "数据库系统准备接受连接"),
        ],
        cancellations: &[
            "由于语句执行超时，正在取消查询命令",
            "由于锁超时，取消语句操作",
            "由于用户请求而正在取消查询",
            "由于与恢复操作冲突，正在取消语句命令",
        ],
        parallel_worker: "并行工作者进程",
        session_end: "断开连接: 会话时间: ",
    },
];
